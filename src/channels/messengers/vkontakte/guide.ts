import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

const manage = words('Manage', 'Управление');

export const guide: Guide = {
  before: [
    {
      title: words('Switch on the messages of the community', 'Включите сообщения сообщества'),
      text: words(
        'Open the community as its administrator. Without this, nobody can write to it.',
        'Откройте сообщество как администратор. Без этого написать ему нельзя.',
      ),
      link: 'https://vk.com/groups?tab=admin',
      sketch: {
        window: 'vk.com',
        menu: [manage, words('Messages', 'Сообщения')],
        parts: [
          {
            field: words('Community messages', 'Сообщения сообщества'),
            value: '✓',
            marked: true,
          },
        ],
      },
    },
    {
      title: words('Switch on the bot abilities', 'Включите возможности ботов'),
      text: words(
        'Without them, VK refuses messages with buttons.',
        'Без них VK не принимает сообщения с кнопками.',
      ),
      link: 'https://vk.com/groups?tab=admin',
      sketch: {
        window: 'vk.com',
        menu: [manage, words('Messages', 'Сообщения'), words('Bot settings', 'Настройки для бота')],
        parts: [
          {
            field: words('Bot abilities', 'Возможности ботов'),
            value: '✓',
            marked: true,
          },
        ],
      },
    },
    {
      title: words('Create a key', 'Создайте ключ'),
      text: words(
        'Press Create key and tick the four rights shown here. Without the last two, no pictures or files are sent. Copy the key.',
        'Нажмите «Создать ключ» и отметьте четыре показанных права. Без двух последних не уйдут картинки и файлы. Скопируйте ключ.',
      ),
      link: 'https://vk.com/groups?tab=admin',
      sketch: {
        window: 'vk.com',
        menu: [manage, words('API usage', 'Работа с API'), words('Access tokens', 'Ключи доступа')],
        parts: [
          { tick: words('Community management', 'Управление сообществом') },
          { tick: words('Community messages', 'Сообщения сообщества') },
          { tick: words('Community photos', 'Фотографии сообщества') },
          { tick: words('Community documents', 'Документы сообщества') },
          { field: words('Key', 'Ключ'), value: 'vk1.a.…', marked: true },
        ],
      },
      fields: [{ name: 'access_token', label: words('Community key', 'Ключ сообщества') }],
    },
    {
      title: words('Copy the number of the community', 'Скопируйте номер сообщества'),
      text: words(
        'The same section shows it on the Callback API tab as group_id.',
        'Он показан в том же разделе на вкладке Callback API как group_id.',
      ),
      sketch: {
        window: 'vk.com',
        menu: [manage, words('API usage', 'Работа с API'), words('Callback API', 'Callback API')],
        parts: [{ field: words('group_id', 'group_id'), value: '123456789', marked: true }],
      },
      fields: [
        {
          name: 'group_id',
          label: words('Community ID', 'ID сообщества'),
          help: words('A number, without the word club.', 'Число, без слова club.'),
        },
      ],
    },
    rarely(
      {
        name: 'secret',
        label: words('Secret of the events', 'Секрет событий'),
        help: words(
          'VK sends it with every event. Empty: a random one.',
          'VK присылает его с каждым событием. Если пусто, он создаётся сам.',
        ),
        canMake: 'token',
      },
      {
        name: 'api_version',
        label: words('API version', 'Версия API'),
        help: words(
          'For example 5.199. Empty: the tested version.',
          'Например, 5.199. Если пусто, это проверенная версия.',
        ),
      },
      apiRootField,
    ),
  ],
  after: [],
  tryOut: words('Write to the community.', 'Напишите сообществу.'),
};
