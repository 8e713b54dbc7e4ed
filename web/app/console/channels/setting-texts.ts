import { texts } from '../../shared/language.tsx';

type Words = { label: string; help?: string };

const english: Record<string, Words> = {
  bot_token: { label: 'Bot token' },
  ca: { label: 'Trusted certificates' },
  instance_id: { label: 'Number of the instance' },
  api_token: { label: 'Token of the instance' },
  webhook_token: { label: 'Token of the notifications' },
  api_root: { label: 'API server' },
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
  auth_token: { label: 'Bot token' },
  sender_name: { label: 'Name above the messages' },
  sender_avatar: { label: 'Picture beside the messages' },
  page_access_token: { label: 'Page access token' },
  access_token: { label: 'Access token' },
  app_secret: { label: 'App secret' },
  verify_token: { label: 'Verify token' },
  phone_number_id: { label: 'Phone number ID' },
  waba_id: { label: 'WhatsApp Business account ID' },
  group_id: { label: 'Community ID' },
  api_version: { label: 'API version' },
  token: { label: 'Token' },
  client_id: { label: 'Client ID' },
  client_secret: { label: 'Client secret' },
  user_id: { label: 'Account number' },
  api_key: { label: 'API key' },
};

const russian: Record<string, Words> = {
  bot_token: { label: 'Токен бота', help: 'Его выдаёт BotFather.' },
  ca: {
    label: 'Доверенные сертификаты',
    help: 'В формате PEM, в дополнение к обычным: например, сертификаты Минцифры.',
  },
  instance_id: { label: 'Номер инстанса' },
  api_token: { label: 'Токен инстанса' },
  webhook_token: {
    label: 'Токен уведомлений',
    help: 'С ним приходят уведомления. Если не указать, создаётся случайный.',
  },
  api_root: { label: 'Сервер API', help: 'Можно не заполнять: тогда это сервер самого мессенджера.' },
  mode: {
    label: 'Как приходят обновления',
    help: 'По умолчанию: webhook, он требует публичного https-адреса этого сервера. Для polling адрес не нужен.',
  },
  auth_token: { label: 'Токен бота', help: 'Viber называет его также ключом приложения.' },
  sender_name: { label: 'Имя над сообщениями', help: 'До 28 символов.' },
  sender_avatar: { label: 'Картинка рядом с сообщениями', help: 'Адрес картинки размером до 100 КБ.' },
  page_access_token: { label: 'Токен доступа страницы', help: 'Бессрочный токен страницы.' },
  access_token: { label: 'Токен доступа', help: 'Его выдаёт мессенджер. С ним отправляются сообщения.' },
  app_secret: { label: 'Секрет приложения', help: 'Им подписано то, что присылает мессенджер.' },
  verify_token: {
    label: 'Проверочный токен',
    help: 'Любой текст. Такой же введите в настройках вебхука приложения.',
  },
  phone_number_id: { label: 'ID номера', help: 'Это не сам номер, а его идентификатор в WhatsApp.' },
  waba_id: { label: 'ID аккаунта WhatsApp Business' },
  group_id: { label: 'ID сообщества', help: 'Число, без слова club.' },
  api_version: { label: 'Версия API', help: 'Можно не заполнять.' },
  webhook_url: { label: 'Адрес мессенджера', help: 'На этот адрес отправляются сообщения клиентам.' },
  secret: {
    label: 'Секрет',
    help: 'По нему мессенджер и Patchbay узнают друг друга. Необязательный секрет создаётся сам.',
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
  token: {
    label: 'Токен',
    help: 'ChatId, который вы указали рядом с адресом в личном кабинете дилера.',
  },
  client_id: { label: 'Client ID', help: 'Стоит рядом с ключом в личном кабинете мессенджера.' },
  client_secret: { label: 'Client secret', help: 'Его выдаёт мессенджер вместе с Client ID.' },
  user_id: { label: 'Номер аккаунта', help: 'Номер профиля: он показан в личном кабинете.' },
  api_key: { label: 'Ключ API', help: 'Его создают в личном кабинете мессенджера.' },
};

/** Settings by name. An unknown setting is labelled with its name and the adapter’s description. */
export const settingTexts = texts(english, { ru: russian });
