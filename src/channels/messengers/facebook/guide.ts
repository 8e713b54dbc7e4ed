import { type Guide, words } from '../../contract/guide.ts';
import { addressStep, appStep, secretStep, verifyStep, versionStep } from '../../shared/graph-guide.ts';
import { heard } from './setup.ts';

const settingsMenu = [
  words('Use cases', 'Сценарии использования'),
  words('Messenger', 'Messenger'),
  words('Messenger API settings', 'Настройки Messenger API'),
];

export const guide: Guide = {
  before: [
    appStep(words('Engage with customers on Messenger', 'Общение с клиентами в Messenger')),
    {
      title: words('Generate a token of your page', 'Создайте токен страницы'),
      text: words(
        'Under “Generate access tokens” connect your page, press Generate and copy the token.',
        'В разделе «Создание маркеров доступа» подключите свою страницу, нажмите «Сгенерировать» и скопируйте токен.',
      ),
      link: 'https://developers.facebook.com/apps/',
      sketch: {
        window: 'developers.facebook.com',
        menu: settingsMenu,
        parts: [
          { field: words('Page', 'Страница'), value: 'Tea Shop' },
          { button: words('Generate', 'Сгенерировать') },
          { field: words('Token', 'Маркер'), value: 'EAAG…', marked: true },
        ],
      },
      fields: [{ name: 'page_access_token', label: words('Page access token', 'Токен доступа страницы') }],
    },
    secretStep,
    verifyStep,
    versionStep,
  ],
  after: [
    addressStep(settingsMenu, heard),
    {
      title: words('Publish the app', 'Опубликуйте приложение'),
      text: words(
        'Until the app is live and has pages_messaging, only people with a role in the app can write.',
        'Пока приложение не опубликовано с разрешением pages_messaging, писать могут только участники приложения.',
      ),
    },
  ],
  tryOut: words('Write to the page in Messenger.', 'Напишите странице в Messenger.'),
};
