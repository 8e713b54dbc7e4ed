import { texts } from '../../shared/language.tsx';

/** A message's states, in words. */
export const messageStates = texts(
  {
    PENDING: 'It waits in the queue',
    IN_PROCESS: 'It is being sent',
    SENT: 'It was sent',
    DELIVERED: 'It was delivered',
    READ: 'It was read',
    UNDELIVERED: 'It was not delivered',
    CANCELLED: 'It was cancelled',
    ERROR: 'It could not be sent',
  },
  {
    ru: {
      PENDING: 'Ждёт в очереди',
      IN_PROCESS: 'Отправляется',
      SENT: 'Отправлено',
      DELIVERED: 'Доставлено',
      READ: 'Прочитано',
      UNDELIVERED: 'Не доставлено',
      CANCELLED: 'Отменено',
      ERROR: 'Отправить не удалось',
    },
  },
);
