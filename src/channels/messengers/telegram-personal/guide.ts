import { type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Create an application', 'Создайте приложение'),
      text: words(
        'Sign in with the phone number of the account and fill in the form. Any title serves. Copy both values.',
        'Войдите с номером аккаунта и заполните форму. Название может быть любым. Скопируйте оба значения.',
      ),
      link: 'https://my.telegram.org/apps',
      sketch: {
        window: 'my.telegram.org',
        menu: [words('API development tools', 'API development tools')],
        parts: [
          { field: words('App api_id', 'App api_id'), value: '1234567', marked: true },
          { field: words('App api_hash', 'App api_hash'), value: '0123456789abcdef…', marked: true },
        ],
      },
      fields: [
        { name: 'api_id', label: words('api_id', 'api_id') },
        { name: 'api_hash', label: words('api_hash', 'api_hash') },
      ],
    },
    {
      title: words('Name the account', 'Укажите аккаунт'),
      text: words(
        'Telegram may limit an account that writes to many strangers. Take one that you can spare.',
        'Telegram может ограничить аккаунт, который пишет многим незнакомым людям. Возьмите отдельный.',
      ),
      fields: [
        {
          name: 'phone',
          label: words('Phone number of the account', 'Номер телефона аккаунта'),
          help: words('For example +79991234567.', 'Например, +79991234567.'),
        },
      ],
    },
    rarely({
      name: 'dc',
      label: words('Test server', 'Тестовый сервер'),
      help: words(
        'host:port. Empty: the servers of Telegram.',
        'host:port. Если пусто, это серверы Telegram.',
      ),
    }),
  ],
  after: [
    {
      title: words('Log in', 'Войдите'),
      text: words(
        'On the server run the command patchbay channel login with the number of the channel. Telegram sends a code to the account; enter it there.',
        'На сервере выполните команду patchbay channel login с номером канала. Telegram пришлёт аккаунту код: введите его там же.',
      ),
      gives: ['login_command'],
    },
  ],
  tryOut: words(
    'Write to the account from another one, or send a test text to a phone number.',
    'Напишите аккаунту с другого аккаунта или отправьте пробный текст на номер.',
  ),
};
