import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Create an instance', 'Создайте инстанс'),
      text: words(
        'Max has no official API for personal accounts. A gateway of the GREEN-API kind holds the account. Create an instance for Max.',
        'У Max нет официального API для личных аккаунтов. Аккаунт держит шлюз вида GREEN-API. Создайте в нём инстанс для Max.',
      ),
      link: 'https://console.green-api.com/',
      sketch: {
        window: 'console.green-api.com',
        menu: [words('Instances', 'Инстансы'), words('Create', 'Создать')],
        parts: [
          { field: words('idInstance', 'idInstance'), value: '3100123456', marked: true },
          { field: words('apiTokenInstance', 'apiTokenInstance'), value: 'd75b3a66…', marked: true },
          { field: words('apiUrl', 'apiUrl'), value: 'https://3100.api.green-api.com' },
        ],
      },
      fields: [
        { name: 'instance_id', label: words('Number of the instance', 'Номер инстанса') },
        { name: 'api_token', label: words('Token of the instance', 'Токен инстанса') },
      ],
    },
    {
      title: words('Connect the account', 'Подключите аккаунт'),
      text: words(
        'In Max on the phone open Settings, Devices, and scan the code of the instance.',
        'В Max на телефоне откройте «Настройки», «Устройства» и отсканируйте код инстанса.',
      ),
      sketch: {
        window: 'console.green-api.com',
        parts: [{ code: words('Scan it with Max', 'Отсканируйте в Max'), marked: true }],
      },
    },
    rarely(
      {
        name: 'webhook_token',
        label: words('Token of the notifications', 'Токен уведомлений'),
        help: words(
          'Comes with every notification. Empty: a random one.',
          'Приходит с каждым уведомлением. Если пусто, он создаётся сам.',
        ),
        canMake: 'token',
      },
      apiRootField,
    ),
  ],
  after: [
    {
      title: words('Wait a few minutes', 'Подождите несколько минут'),
      text: words(
        'The instance restarts with our address. Messages arrive after at most five minutes.',
        'Инстанс перезапускается с нашим адресом. Сообщения начнут приходить не позже чем через пять минут.',
      ),
    },
  ],
  tryOut: words(
    'Write to the account from another one, or send a test text to a phone number.',
    'Напишите аккаунту с другого аккаунта или отправьте пробный текст на номер.',
  ),
};
