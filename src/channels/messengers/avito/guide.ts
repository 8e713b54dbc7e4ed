import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Get the keys of the API', 'Получите ключи API'),
      text: words(
        'The messenger’s API needs a paid tariff. Sign in with the account that has the adverts, and copy both values.',
        'API мессенджера есть на платном тарифе. Войдите в аккаунт с объявлениями и скопируйте оба значения.',
      ),
      link: 'https://www.avito.ru/professionals/api',
      sketch: {
        window: 'avito.ru',
        menu: [words('For professionals', 'Для профессионалов'), words('API', 'API')],
        parts: [
          { field: words('Client ID', 'Client_id'), value: 'a1B2c3…', marked: true },
          { field: words('Client secret', 'Client_secret'), value: '••••••••', marked: true },
        ],
      },
      fields: [
        { name: 'client_id', label: words('Client ID', 'Client ID') },
        { name: 'client_secret', label: words('Client secret', 'Client secret') },
      ],
    },
    {
      title: words('Copy the number of the profile', 'Скопируйте номер профиля'),
      text: words(
        'The settings of the profile show it below the name.',
        'Он показан в настройках профиля под именем.',
      ),
      link: 'https://www.avito.ru/profile/settings',
      sketch: {
        window: 'avito.ru',
        menu: [words('Profile', 'Профиль'), words('Settings', 'Настройки')],
        parts: [{ field: words('Profile number', 'Номер профиля'), value: '12 345 678', marked: true }],
      },
      fields: [
        {
          name: 'user_id',
          label: words('Profile number', 'Номер профиля'),
          help: words('Digits only, without spaces.', 'Только цифры, без пробелов.'),
        },
      ],
    },
    rarely(apiRootField),
  ],
  after: [],
  tryOut: words(
    'From another account, open an advert of this profile and press Write.',
    'С другого аккаунта откройте объявление этого профиля и нажмите «Написать».',
  ),
};
