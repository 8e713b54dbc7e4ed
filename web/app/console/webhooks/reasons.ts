import { texts } from '../../shared/language.tsx';

/** Why the program disables a webhook, in its own English words, for readers of other languages. */
const reasons: Record<string, string> = {};

export const disabledReasons = texts(reasons, {
  ru: {
    'The receiver answered 410: it is gone.': 'Получатель ответил 410: его больше нет.',
    'There were nothing but failures for 120 hours.': '120 часов не было ничего, кроме неудач.',
    'Its settings were deleted.': 'Настройки удалены.',
    'An administrator disabled it.': 'Его отключил администратор.',
    'The application has no access any more: it was revoked.': 'У приложения больше нет доступа: он отозван.',
    'The application has no access any more: it was not used for 90 days.':
      'У приложения больше нет доступа: им не пользовались 90 дней.',
  },
});
