import { counted, texts } from '../../../shared/language.tsx';

/** Words of the last look before a mailing is made. */
export const reviewTexts = texts(
  {
    title: 'Before it starts',
    back: 'Go on writing',
    start: 'Start now',
    schedule: 'Schedule',
    badFilter: 'The filter is not valid JSON.',
    fieldErrors: 'Something has to be changed first:',
    takes: (time: string) => `Sending takes about ${time}.`,
    unknown: 'How long sending takes cannot be told.',
    channel: 'Channel',
    messages: 'Messages',
    waiting: 'Waiting before them',
    rate: 'A second',
    time: 'Time',
    noLimit: 'no limit known',
    paused: 'paused',
    fine: 'Nothing stands in the way.',
    warnings: 'Look at this first',
    warning: {
      nobody: () => 'Nobody can be reached: the mailing would end at once.',
      draft: () => 'Nobody is chosen: the mailing is kept as a draft and does not start.',
      codes_short: (names: string, count: number) =>
        `The promo code group “${names}” lacks ${counted('en', count, { one: 'code', other: 'codes' })}. The mailing would fail before anything is sent.`,
      channel_paused: (names: string) => `Paused: ${names}. Messages there wait until the channel goes on.`,
      unknown_placeholder: (names: string) => `Nobody has this, it would leave a gap in the text: ${names}.`,
      unknown_tag: (names: string) => `The filter asks for tags that do not exist: ${names}.`,
      unknown_attribute: (names: string) => `The filter asks for attributes that do not exist: ${names}.`,
      night: (_names: string, count: number) =>
        `For ${counted('en', count, { one: 'recipient', other: 'recipients' })} it will be night (22–8 in their time zone).`,
    },
  },
  {
    ru: {
      title: 'Перед началом',
      back: 'Писать дальше',
      start: 'Начать сейчас',
      schedule: 'Запланировать',
      badFilter: 'Фильтр не является JSON.',
      fieldErrors: 'Сначала нужно кое-что изменить:',
      takes: (time) => `Отправка займёт около ${time}.`,
      unknown: 'Сколько займёт отправка, сказать нельзя.',
      channel: 'Канал',
      messages: 'Сообщений',
      waiting: 'Ждут перед ними',
      rate: 'В секунду',
      time: 'Время',
      noLimit: 'предел неизвестен',
      paused: 'на паузе',
      fine: 'Ничто не мешает.',
      warnings: 'Сначала посмотрите на это',
      warning: {
        nobody: () => 'Написать некому: рассылка сразу закончится.',
        draft: () => 'Получатели не выбраны: рассылка останется черновиком и не начнётся.',
        codes_short: (names, count) =>
          `В группе промокодов «${names}» не хватает: ${counted('ru', count, { one: 'код', few: 'кода', many: 'кодов', other: 'кода' })}. Рассылка прервётся до отправки.`,
        channel_paused: (names) => `На паузе: ${names}. Сообщения там ждут, пока канал не продолжит работу.`,
        unknown_placeholder: (names) => `Этого нет ни у кого, в тексте останется пустое место: ${names}.`,
        unknown_tag: (names) => `Фильтр спрашивает теги, которых нет: ${names}.`,
        unknown_attribute: (names) => `Фильтр спрашивает атрибуты, которых нет: ${names}.`,
        night: (_names, count) =>
          `У части получателей будет ночь (с 22 до 8 по их времени): ${counted('ru', count, { one: 'получатель', few: 'получателя', many: 'получателей', other: 'получателя' })}.`,
      },
    },
  },
);
