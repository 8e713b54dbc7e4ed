import { counted, texts } from '../../../shared/language.tsx';

/** Texts of the review before a mailing is created. */
export const reviewTexts = texts(
  {
    title: 'Check before starting',
    back: 'Continue editing',
    start: 'Start now',
    schedule: 'Schedule',
    ask: 'Ask for approval',
    badFilter: 'The filter is not valid JSON.',
    fieldErrors: 'Correct these fields first:',
    takes: (time: string) => `Estimated sending time: ${time}.`,
    unknown: 'Sending time cannot be estimated.',
    quiet: (count: string, first: string, last: string) =>
      first === last
        ? `Quiet hours: ${count} messages wait until ${last}.`
        : `Quiet hours: ${count} messages wait, the first until ${first}, the last until ${last}.`,
    capped: (count: number) =>
      `As known today, the frequency cap will refuse about ${counted('en', count, { one: 'recipient', other: 'recipients' })}.`,
    spread: (moment: string, minute: string) => `Spread until ${moment}: about ${minute} a minute.`,
    spreadOnly: (moment: string) => `Spread until ${moment}.`,
    late: 'The mailing cannot be done by then:',
    hindrance: {
      channel_paused: (channel: string) => `the channel “${channel}” is paused.`,
      asleep: (channel: string, messages: string) =>
        `${messages} clients of the channel “${channel}” have quiet hours until then.`,
      too_slow: (channel: string, messages: string, needed: string, had: string) =>
        `the channel “${channel}” needs ${needed} for ${messages} messages, and has ${had}.`,
    },
    channel: 'Channel',
    messages: 'Messages',
    waiting: 'Queued before them',
    rate: 'Per second',
    time: 'Time',
    noLimit: 'no known limit',
    paused: 'paused',
    fine: 'No problems found.',
    warnings: 'Warnings',
    warning: {
      nobody: () => 'No client is reachable: the mailing would end at once.',
      draft: () => 'No recipients are chosen: the mailing is saved as a draft and does not start.',
      codes_short: (names: string, count: number) =>
        `The promo code group “${names}” is short of ${counted('en', count, { one: 'code', other: 'codes' })}. The mailing would fail before sending.`,
      channel_paused: (names: string) => `Paused: ${names}. Messages wait until the channel is resumed.`,
      unknown_placeholder: (names: string) =>
        `No client has these values, so the text would have gaps: ${names}.`,
      unknown_tag: (names: string) => `The filter uses tags that do not exist: ${names}.`,
      unknown_attribute: (names: string) => `The filter uses attributes that do not exist: ${names}.`,
      night: (_names: string, count: number) =>
        `${counted('en', count, { one: 'recipient', other: 'recipients' })} would get the message at night (22:00–08:00 local time).`,
    },
  },
  {
    ru: {
      title: 'Проверка перед началом',
      back: 'Продолжить редактирование',
      start: 'Начать сейчас',
      schedule: 'Запланировать',
      ask: 'Отправить на одобрение',
      badFilter: 'Фильтр не является JSON.',
      fieldErrors: 'Сначала исправьте эти поля:',
      takes: (time) => `Примерное время отправки: ${time}.`,
      unknown: 'Оценить время отправки нельзя.',
      quiet: (count, first, last) =>
        first === last
          ? `Тихие часы: ждут до ${last}, сообщений: ${count}.`
          : `Тихие часы: ждут сообщений: ${count}, первые до ${first}, последние до ${last}.`,
      capped: (count) =>
        `По состоянию на сегодня ограничение частоты отсеет около ${counted('ru', count, { one: 'получателя', other: 'получателей' })}.`,
      spread: (moment, minute) => `Распределяется до ${moment}: около ${minute} в минуту.`,
      spreadOnly: (moment) => `Распределяется до ${moment}.`,
      late: 'К этому времени рассылка не закончится:',
      hindrance: {
        channel_paused: (channel) => `канал «${channel}» на паузе.`,
        asleep: (channel, messages) =>
          `у клиентов канала «${channel}» до этого времени тихие часы, сообщений: ${messages}.`,
        too_slow: (channel, messages, needed, had) =>
          `каналу «${channel}» на сообщения (${messages}) нужно ${needed}, а есть ${had}.`,
      },
      channel: 'Канал',
      messages: 'Сообщений',
      waiting: 'В очереди перед ними',
      rate: 'В секунду',
      time: 'Время',
      noLimit: 'предел неизвестен',
      paused: 'на паузе',
      fine: 'Проблем не найдено.',
      warnings: 'Предупреждения',
      warning: {
        nobody: () => 'Доступных клиентов нет: рассылка сразу завершится.',
        draft: () => 'Получатели не выбраны: рассылка сохранится как черновик и не начнётся.',
        codes_short: (names, count) =>
          `В группе промокодов «${names}» не хватает: ${counted('ru', count, { one: 'код', few: 'кода', many: 'кодов', other: 'кода' })}. Рассылка завершится ошибкой до отправки.`,
        channel_paused: (names) => `На паузе: ${names}. Сообщения ждут, пока канал не возобновят.`,
        unknown_placeholder: (names) =>
          `Этих значений нет ни у одного клиента, в тексте останутся пропуски: ${names}.`,
        unknown_tag: (names) => `Фильтр использует теги, которых нет: ${names}.`,
        unknown_attribute: (names) => `Фильтр использует атрибуты, которых нет: ${names}.`,
        night: (_names, count) =>
          `Сообщение придёт ночью (с 22:00 до 08:00 местного времени): ${counted('ru', count, { one: 'получатель', few: 'получателя', many: 'получателей', other: 'получателя' })}.`,
      },
    },
  },
);
