import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Generate a key', 'Создайте ключ'),
      text: words(
        'Chats need a Premium subscription. Copy the Client ID, press Generate key, and allow access to chats.',
        'Для чатов нужна подписка Premium. Скопируйте Client ID, нажмите «Сгенерировать ключ» и разрешите доступ к чатам.',
      ),
      link: 'https://seller.ozon.ru/app/settings/api-keys',
      sketch: {
        window: 'seller.ozon.ru',
        menu: [words('Settings', 'Настройки'), words('Seller API', 'Seller API')],
        parts: [
          { field: words('Client ID', 'Client ID'), value: '123456', marked: true },
          { button: words('Generate key', 'Сгенерировать ключ') },
          { field: words('API key', 'API-ключ'), value: '0e8f…', marked: true },
        ],
      },
      fields: [
        { name: 'client_id', label: words('Client ID', 'Client ID') },
        {
          name: 'api_key',
          label: words('API key', 'Ключ API'),
          help: words('Ozon shows it only once.', 'Ozon показывает его только один раз.'),
        },
      ],
    },
    rarely(apiRootField),
  ],
  after: [
    {
      title: words('Switch on the notifications', 'Включите уведомления'),
      text: words(
        'Paste the address, choose the notifications about chats, then press Check and Connect.',
        'Вставьте адрес, выберите уведомления о чатах, нажмите «Проверить» и «Подключить».',
      ),
      link: 'https://seller.ozon.ru/app/settings/push-notifications',
      sketch: {
        window: 'seller.ozon.ru',
        menu: [words('Settings', 'Настройки'), words('Notifications', 'Уведомления')],
        parts: [
          { field: words('URL', 'URL'), value: 'https://…/channels/…/', marked: true },
          { tick: words('New message in a chat', 'Новое сообщение в чате') },
          { tick: words('Message read', 'Сообщение прочитано') },
          { tick: words('Chat closed', 'Чат закрыт') },
          { button: words('Connect', 'Подключить') },
        ],
      },
      gives: ['address'],
    },
  ],
  tryOut: words(
    'As a buyer, open an order of your shop and write to the seller.',
    'Как покупатель откройте заказ в своём магазине и напишите продавцу.',
  ),
};
