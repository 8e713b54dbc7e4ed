import { texts } from '../../shared/language.tsx';

/** Translations of the English reasons for which the server disables a webhook. */
const reasons: Record<string, string> = {};

export const disabledReasons = texts(reasons, {
  ru: {
    'The receiver answered 410: it is gone.': 'Получатель ответил 410 (адрес больше не существует).',
    'There were nothing but failures for 120 hours.': 'Все доставки завершались ошибкой в течение 120 часов.',
    'Its settings were deleted.': 'Настройки вебхука удалены.',
    'An administrator disabled it.': 'Вебхук отключил администратор.',
    'The application has no access any more: it was revoked.':
      'У приложения больше нет доступа: доступ отозван.',
    'Tokens of the application were revoked. It has others, and must set its webhook again.':
      'Токены приложения отозваны. У него есть другие, вебхук нужно настроить заново.',
    'The application has no access any more: it was not used for 90 days.':
      'У приложения больше нет доступа: он не использовался 90 дней.',
  },
});
