import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Copy the token of your bot', 'Скопируйте токен бота'),
      text: words(
        'Only verified Russian companies and entrepreneurs can have bots. Open the bot’s settings and copy the token.',
        'Боты доступны проверенным российским компаниям и предпринимателям. Откройте настройки бота и скопируйте токен.',
      ),
      link: 'https://business.max.ru/self',
      sketch: {
        window: 'business.max.ru',
        menu: [words('Chat bots', 'Чат-боты'), words('⋮', '⋮'), words('Settings', 'Настройки')],
        parts: [
          { field: words('User name', 'Имя пользователя'), value: 'tea_shop_bot' },
          { field: words('Token', 'Токен'), value: 'f9LHodD0…', marked: true },
        ],
      },
      fields: [{ name: 'access_token', label: words('Bot token', 'Токен бота') }],
    },
    rarely(
      {
        name: 'ca',
        label: words('Trusted certificates', 'Доверенные сертификаты'),
        help: words(
          'In PEM, beside the usual ones. The API of Max has a certificate of the Russian state.',
          'В формате PEM, в дополнение к обычным. У API Max сертификат Минцифры.',
        ),
      },
      {
        name: 'secret',
        label: words('Secret of the events', 'Секрет событий'),
        help: words(
          'Max sends it with every event. Empty: a random one.',
          'Max присылает его с каждым событием. Если пусто, он создаётся сам.',
        ),
        canMake: 'token',
      },
      apiRootField,
    ),
  ],
  after: [],
  tryOut: words('Open the bot in Max and write to it.', 'Откройте бота в Max и напишите ему.'),
};
