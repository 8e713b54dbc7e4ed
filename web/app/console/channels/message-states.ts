import { texts } from '../../shared/language.tsx';

/** The states of a message, in words. */
export const messageStates = texts(
  {
    PENDING: 'Queued',
    IN_PROCESS: 'Sending',
    SENT: 'Sent',
    DELIVERED: 'Delivered',
    READ: 'Read',
    UNDELIVERED: 'Not delivered',
    CANCELLED: 'Cancelled',
    ERROR: 'Not sent',
  },
  {
    ru: {
      PENDING: 'В очереди',
      IN_PROCESS: 'Отправляется',
      SENT: 'Отправлено',
      DELIVERED: 'Доставлено',
      READ: 'Прочитано',
      UNDELIVERED: 'Не доставлено',
      CANCELLED: 'Отменено',
      ERROR: 'Не отправлено',
    },
  },
);
