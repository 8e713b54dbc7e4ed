import { texts } from './language.tsx';

/** The states of a message in a few words, for a history. */
export const messageStates = texts(
  {
    PENDING: 'Waiting to be sent',
    IN_PROCESS: 'Being sent',
    SENT: 'Sent',
    DELIVERED: 'Delivered',
    READ: 'Read',
    UNDELIVERED: 'Not delivered',
    CANCELLED: 'Cancelled',
    ERROR: 'Failed',
  },
  {
    ru: {
      PENDING: 'Ждёт отправки',
      IN_PROCESS: 'Отправляется',
      SENT: 'Отправлено',
      DELIVERED: 'Доставлено',
      READ: 'Прочитано',
      UNDELIVERED: 'Не доставлено',
      CANCELLED: 'Отменено',
      ERROR: 'Ошибка',
    },
  },
);
