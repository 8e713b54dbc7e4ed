import { apiRootField, type Guide, rarely, words } from '../../contract/guide.ts';

const menu = [words('Settings', 'Настройки'), words('Chats', 'Чаты')];

export const guide: Guide = {
  before: [
    {
      title: words('Find the ChatId', 'Найдите ChatId'),
      text: words(
        'It stands beside the address for messages in the dealer’s account. The support of Auto.ru opens this section.',
        'Он указан рядом с адресом для сообщений в кабинете дилера. Этот раздел открывает поддержка Авто.ру.',
      ),
      link: 'https://cabinet.auto.ru/',
      sketch: {
        window: 'cabinet.auto.ru',
        menu,
        parts: [
          { field: words('Address', 'Адрес'), value: 'https://…' },
          { field: words('ChatId', 'ChatId'), value: '••••••••', marked: true },
        ],
      },
      fields: [{ name: 'token', label: words('ChatId', 'ChatId') }],
    },
    rarely(apiRootField),
  ],
  after: [
    {
      title: words('Enter the address', 'Укажите адрес'),
      text: words(
        'Paste it into the same form. Keep it secret: it proves that a message comes from Auto.ru.',
        'Вставьте его в ту же форму. Никому его не показывайте: по нему видно, что сообщение пришло от Авто.ру.',
      ),
      link: 'https://cabinet.auto.ru/',
      sketch: {
        window: 'cabinet.auto.ru',
        menu,
        parts: [
          { field: words('Address', 'Адрес'), value: 'https://…/channels/…/', marked: true },
          { button: words('Save', 'Сохранить') },
        ],
      },
      gives: ['address'],
    },
  ],
  tryOut: words(
    'Open one of your adverts and write in its chat.',
    'Откройте своё объявление и напишите в его чат.',
  ),
};
