import { type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Choose the mailbox', 'Выберите ящик'),
      text: words(
        'Take a mailbox of its own: Patchbay reads every new mail in it.',
        'Лучше завести отдельный ящик: Patchbay читает в нём все новые письма.',
      ),
      fields: [
        {
          name: 'from',
          label: words('Address', 'Адрес'),
          help: words(
            'Clients write to it, and answers come from it.',
            'Сюда пишут клиенты, и отсюда приходят ответы.',
          ),
        },
        {
          name: 'from_name',
          label: words('Sender name', 'Имя отправителя'),
          help: words('Clients see it beside the address.', 'Клиенты видят его рядом с адресом.'),
        },
      ],
    },
    {
      title: words('Allow programs to use it', 'Разрешите доступ программам'),
      text: words(
        'In the settings of the mailbox, switch on SMTP and IMAP. Most providers ask for an app password instead of your own.',
        'В настройках ящика включите SMTP и IMAP. Обычно вместо своего пароля нужен пароль приложения.',
      ),
      sketch: {
        window: 'mail.example',
        menu: [words('Settings', 'Настройки'), words('Mail programs', 'Почтовые программы')],
        parts: [
          { tick: words('From a mail program over IMAP', 'С сервера по протоколу IMAP') },
          { field: words('App password', 'Пароль приложения'), value: 'abcd efgh ijkl', marked: true },
        ],
      },
    },
    {
      title: words('Enter both servers', 'Укажите оба сервера'),
      text: words(
        'The help of your mail provider names them. In a user name, write @ as %40.',
        'Они названы в справке почты. В имени пользователя пишите %40 вместо @.',
      ),
      fields: [
        {
          name: 'smtp_url',
          label: words('SMTP server', 'Сервер SMTP'),
          help: words(
            'smtps://user:password@host:465 or smtp://user:password@host:587',
            'smtps://имя:пароль@сервер:465 или smtp://имя:пароль@сервер:587',
          ),
        },
        {
          name: 'imap_url',
          label: words('IMAP server', 'Сервер IMAP'),
          help: words(
            'imaps://user:password@host:993. Without it, no mail is received.',
            'imaps://имя:пароль@сервер:993. Без него входящих писем нет.',
          ),
        },
      ],
    },
    rarely(
      {
        name: 'form_senders',
        label: words('Addresses of web forms', 'Адреса веб-форм'),
        help: words(
          'A mail from one of them is written by its Reply-To, and any other by its From. Separate them by commas.',
          'У писем с этих адресов клиент берётся из Reply-To, у всех других — из From. Перечислите через запятую.',
        ),
      },
      {
        name: 'tls',
        label: words('Certificates of the mail servers', 'Сертификаты почтовых серверов'),
        help: words(
          'verify checks them. insecure accepts any, for a server of your own.',
          'verify проверяет их. insecure принимает любые, для собственного сервера.',
        ),
      },
    ),
  ],
  after: [],
  tryOut: words('Send a mail to the address.', 'Отправьте письмо на этот адрес.'),
};
