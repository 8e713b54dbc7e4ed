import { texts } from '../../shared/language.tsx';

export const retentionTexts = texts(
  {
    title: 'Retention',
    lead: 'How many months data stays after the end of its own month. Empty fields keep it for ever. What waits to be sent is never removed, and the numbers of mailings stay.',
    messages: 'Messages, in months',
    files: 'Files of messages, in months',
    events: 'Events for webhooks, in months',
    attempts: 'Delivery attempts of webhooks, in months',
    audit: 'Changes of clients, in months',
    what: {
      messages: 'Messages from before',
      files: 'Files from before',
      events: 'Events from before',
      attempts: 'Attempts from before',
      audit: 'Records from before',
    },
    empty: 'For ever',
    forEver: 'Nothing is removed.',
    withMessages: 'Files go with their messages.',
    goes: (what: string, day: string) =>
      `${what} ${day} are removed within hours after you save. Later, each month goes when its time is over.`,
    archives: 'Archive before removing',
    archivesHint:
      'Rows are kept as compressed files, which the command “patchbay archive” reads. Files of messages are not archived, and go with their messages.',
    hold: 'Legal hold',
    holdHint: 'Nothing of this project is removed while this is on.',
    held: 'A legal hold is set: nothing is removed.',
    save: 'Save retention',
    changed: (who: string, when: string) => `Last changed by ${who}, ${when}`,
  },
  {
    ru: {
      title: 'Сроки хранения',
      lead: 'Сколько месяцев данные хранятся после конца своего месяца. Пустое поле — хранить всегда. То, что ждёт отправки, не удаляется, числа рассылок остаются.',
      messages: 'Сообщения, месяцев',
      files: 'Файлы сообщений, месяцев',
      events: 'События для вебхуков, месяцев',
      attempts: 'Попытки доставки вебхуков, месяцев',
      audit: 'Изменения клиентов, месяцев',
      what: {
        messages: 'Сообщения до',
        files: 'Файлы до',
        events: 'События до',
        attempts: 'Попытки до',
        audit: 'Записи до',
      },
      empty: 'Всегда',
      forEver: 'Ничего не удаляется.',
      withMessages: 'Файлы удаляются вместе с сообщениями.',
      goes: (what, day) =>
        `${what} ${day} будут удалены в течение часов после сохранения. Затем каждый месяц удаляется, когда его срок истёк.`,
      archives: 'Архивировать перед удалением',
      archivesHint:
        'Записи сохраняются в сжатых файлах, их читает команда «patchbay archive». Файлы сообщений не архивируются и удаляются вместе с сообщениями.',
      hold: 'Запрет удаления',
      holdHint: 'Пока включён, в этом проекте ничего не удаляется.',
      held: 'Действует запрет удаления: ничего не удаляется.',
      save: 'Сохранить сроки',
      changed: (who, when) => `Изменил(а) ${who}, ${when}`,
    },
  },
);
