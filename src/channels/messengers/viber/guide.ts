import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Copy the token of your bot', 'Скопируйте токен бота'),
      text: words(
        'Bots need a commercial contract with Viber or a partner. Open the bot in the admin panel and copy its token.',
        'Для бота нужен договор с Viber или партнёром. Откройте бота в панели управления и скопируйте его токен.',
      ),
      link: 'https://partners.viber.com/',
      sketch: {
        window: 'Viber Admin Panel',
        menu: [words('Info', 'Info'), words('Edit info', 'Edit info')],
        parts: [
          { field: words('Account name', 'Account name'), value: 'Tea Shop' },
          { field: words('Token', 'Token'), value: '4453b6ac1s345678-…', marked: true },
        ],
      },
      fields: [{ name: 'auth_token', label: words('Bot token', 'Токен бота') }],
    },
    {
      title: words('Choose how the bot looks', 'Выберите, как выглядит бот'),
      text: words('Clients see this beside each message.', 'Клиенты видят это рядом с каждым сообщением.'),
      fields: [
        {
          name: 'sender_name',
          label: words('Name above the messages', 'Имя над сообщениями'),
          help: words('At most 28 characters.', 'До 28 символов.'),
        },
        {
          name: 'sender_avatar',
          label: words('Picture beside the messages', 'Картинка рядом с сообщениями'),
          help: words('The address of a picture of at most 100 KB.', 'Адрес картинки размером до 100 КБ.'),
        },
      ],
    },
    rarely(apiRootField),
  ],
  after: [],
  tryOut: words('Open the bot in Viber and write to it.', 'Откройте бота в Viber и напишите ему.'),
};
