import { type Guide, words } from '../../contract/guide.ts';
import { addressStep, appStep, secretStep, verifyStep, versionStep } from '../../shared/graph-guide.ts';
import { heard } from './setup.ts';

const settingsMenu = [
  words('Use cases', 'Сценарии использования'),
  words('Instagram', 'Instagram'),
  words('API setup with Instagram login', 'Настройка API со входом через Instagram'),
];

export const guide: Guide = {
  before: [
    appStep(words('Manage messaging and content on Instagram', 'Сообщения и контент в Instagram')),
    {
      title: words('Generate a token of the account', 'Создайте токен аккаунта'),
      text: words(
        'Add the professional account, press Generate token and copy it. In the app, allow access to messages.',
        'Добавьте профессиональный аккаунт, нажмите «Сгенерировать маркер» и скопируйте его. В Instagram разрешите доступ к сообщениям.',
      ),
      link: 'https://developers.facebook.com/apps/',
      sketch: {
        window: 'developers.facebook.com',
        menu: settingsMenu,
        parts: [
          { field: words('Account', 'Аккаунт'), value: '@tea_shop' },
          { button: words('Generate token', 'Сгенерировать маркер') },
          { field: words('Access token', 'Маркер доступа'), value: 'IGAA…', marked: true },
        ],
      },
      fields: [
        {
          name: 'access_token',
          label: words('Access token', 'Токен доступа'),
          help: words(
            'It lasts 60 days. Patchbay renews it in time.',
            'Действует 60 дней. Patchbay продлевает его вовремя.',
          ),
        },
      ],
    },
    secretStep,
    verifyStep,
    versionStep,
  ],
  after: [addressStep(settingsMenu, heard)],
  tryOut: words(
    'Write to the account in Instagram from another account.',
    'Напишите аккаунту в Instagram с другого аккаунта.',
  ),
};
