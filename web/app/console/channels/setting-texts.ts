import { texts } from '../../shared/language.tsx';

type Words = { label: string; help?: string };

const english: Record<string, Words> = {
  bot_token: { label: 'Bot token' },
  api_root: { label: 'Bot API server' },
  mode: { label: 'How updates come in' },
  webhook_url: { label: 'Address of the messenger' },
  secret: { label: 'Secret' },
  from: { label: 'Address' },
  from_name: { label: 'Name beside the address' },
  smtp_url: { label: 'SMTP server' },
  imap_url: { label: 'IMAP server' },
  tls: { label: 'Certificates of the mail servers' },
};

const russian: Record<string, Words> = {
  bot_token: { label: 'Токен бота', help: 'Его выдаёт BotFather.' },
  api_root: { label: 'Сервер Bot API', help: 'https://api.telegram.org, если не указано иное.' },
  mode: {
    label: 'Как приходят обновления',
    help: 'webhook (по умолчанию) требует нашего открытого https-адреса; polling обходится без него.',
  },
  webhook_url: { label: 'Адрес мессенджера', help: 'Сюда уходят сообщения клиентам.' },
  secret: {
    label: 'Секрет',
    help: 'Им подписано то, что отправляем мы, и он же — bearer-токен того, что отправляют нам.',
  },
  from: { label: 'Адрес', help: 'Сюда пишут клиенты, и отсюда приходят ответы.' },
  from_name: { label: 'Имя рядом с адресом' },
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
};

/** Settings by their names. One that is not here is called by its name, and explained in the adapter’s own words. */
export const settingTexts = texts(english, { ru: russian });
