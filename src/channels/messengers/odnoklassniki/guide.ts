import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Get the key of your group', 'Получите ключ группы'),
      text: words(
        'Open the full version of the site as the group’s administrator. A new key ends the earlier one.',
        'Откройте полную версию сайта как администратор группы. Новый ключ отменяет прежний.',
      ),
      link: 'https://ok.ru/groups',
      sketch: {
        window: 'ok.ru',
        menu: [words('Settings', 'Настройки'), words('Messages', 'Сообщения')],
        parts: [
          { tick: words('Messages of the group', 'Сообщения группы') },
          { field: words('Work with the API', 'Работа с API'), value: 'tkn1…', marked: true },
          { button: words('Get an access key', 'Получить ключ доступа') },
        ],
      },
      fields: [{ name: 'access_token', label: words('Key of the group', 'Ключ группы') }],
    },
    rarely(apiRootField),
  ],
  after: [],
  tryOut: words(
    'Open the group and press Write a message.',
    'Откройте группу и нажмите «Написать сообщение».',
  ),
};
