import { texts } from '../../shared/language.tsx';

type Words = { label: string; help?: string };

const english: Record<string, Words> = {
  bot_token: { label: 'Bot token' },
  api_root: { label: 'Bot API server' },
  mode: { label: 'How updates are received' },
  webhook_url: { label: 'Messenger address' },
  secret: { label: 'Secret' },
  from: { label: 'Address' },
  from_name: { label: 'Sender name' },
  smtp_url: { label: 'SMTP server' },
  imap_url: { label: 'IMAP server' },
  tls: { label: 'Certificates of the mail servers' },
  api_id: { label: 'api_id' },
  api_hash: { label: 'api_hash' },
  phone: { label: 'Phone number of the account' },
  dc: { label: 'Test server' },
};

const russian: Record<string, Words> = {
  bot_token: { label: 'Токен бота', help: 'Его выдаёт BotFather.' },
  api_root: { label: 'Сервер Bot API', help: 'По умолчанию: https://api.telegram.org.' },
  mode: {
    label: 'Как приходят обновления',
    help: 'По умолчанию: webhook, он требует публичного https-адреса этого сервера. Для polling адрес не нужен.',
  },
  webhook_url: { label: 'Адрес мессенджера', help: 'На этот адрес отправляются сообщения клиентам.' },
  secret: {
    label: 'Секрет',
    help: 'Patchbay подписывает им запросы к мессенджеру. Мессенджер передаёт его как bearer-токен.',
  },
  from: { label: 'Адрес', help: 'Сюда пишут клиенты, и отсюда приходят ответы.' },
  from_name: { label: 'Имя отправителя' },
  smtp_url: {
    label: 'Сервер SMTP',
    help: 'Отправляет письма: smtp://имя:пароль@сервер:587 или smtps://…:465.',
  },
  imap_url: {
    label: 'Сервер IMAP',
    help: 'Ящик, который мы читаем: imaps://имя:пароль@сервер:993 или imap://…:143. Без него входящих писем нет.',
  },
  tls: {
    label: 'Сертификаты почтовых серверов',
    help: 'verify (по умолчанию) проверяет их у обоих серверов; insecure принимает любые.',
  },
  api_id: { label: 'api_id', help: 'api_id приложения с my.telegram.org.' },
  api_hash: { label: 'api_hash', help: 'api_hash приложения с my.telegram.org.' },
  phone: { label: 'Номер телефона аккаунта', help: 'Например, +79991234567.' },
  dc: {
    label: 'Тестовый сервер',
    help: 'host:port. По умолчанию — серверы Telegram.',
  },
};

/** Settings by name. An unknown setting is labelled with its name and the adapter’s description. */
export const settingTexts = texts(english, { ru: russian });
