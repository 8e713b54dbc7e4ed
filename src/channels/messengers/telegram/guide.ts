import { apiRootField, type Guide, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Create a bot', 'Создайте бота'),
      text: words(
        'Open BotFather in Telegram and send /newbot. Answer with a name, then with a user name that ends in bot.',
        'Откройте BotFather в Telegram и отправьте /newbot. Введите название, затем имя пользователя, которое кончается на bot.',
      ),
      link: 'https://t.me/BotFather',
      sketch: {
        window: 'BotFather',
        parts: [
          { says: words('/newbot', '/newbot'), by: 'person' },
          { says: words('How are we going to call it?', 'How are we going to call it?'), by: 'bot' },
          { says: words('Tea Shop', 'Чайная лавка'), by: 'person' },
          { says: words('Now let’s choose a username.', 'Now let’s choose a username.'), by: 'bot' },
          { says: words('tea_shop_bot', 'tea_shop_bot'), by: 'person' },
        ],
      },
    },
    {
      title: words('Copy its token', 'Скопируйте токен'),
      text: words(
        'BotFather answers with the token. For an existing bot, send /token and choose the bot.',
        'В ответ BotFather пришлёт токен. Для готового бота отправьте /token и выберите его.',
      ),
      link: 'https://t.me/BotFather',
      sketch: {
        window: 'BotFather',
        parts: [
          {
            says: words('Use this token to access the HTTP API:', 'Use this token to access the HTTP API:'),
            by: 'bot',
          },
          { says: words('123456789:AAH…', '123456789:AAH…'), by: 'bot', marked: true },
        ],
      },
      fields: [{ name: 'bot_token', label: words('Bot token', 'Токен бота') }],
    },
    {
      title: words(
        'If Telegram cannot reach this server',
        'Если Telegram не может обратиться к этому серверу',
      ),
      text: words(
        'Telegram sends messages to a public https address. Without one, choose polling: then this server asks Telegram.',
        'Telegram присылает сообщения на публичный https-адрес. Если его нет, выберите polling: тогда этот сервер сам опрашивает Telegram.',
      ),
      fields: [{ name: 'mode', label: words('How messages arrive', 'Как приходят сообщения') }, apiRootField],
      isRare: true,
    },
  ],
  after: [],
  tryOut: words(
    'Open the bot, press Start and write to it.',
    'Откройте бота, нажмите «Запустить» и напишите ему.',
  ),
};
