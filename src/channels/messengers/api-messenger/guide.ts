import { type Guide, words } from '../../contract/guide.ts';

export const guide: Guide = {
  before: [
    {
      title: words('Name the address of your messenger', 'Укажите адрес вашего мессенджера'),
      text: words(
        'Patchbay posts each message for a client to it. The developers of your messenger know it.',
        'На этот адрес Patchbay отправляет сообщения клиентам. Его знают разработчики вашего мессенджера.',
      ),
      fields: [{ name: 'webhook_url', label: words('Messenger address', 'Адрес мессенджера') }],
    },
    {
      title: words('Share a secret', 'Задайте общий секрет'),
      text: words(
        'Both sides know it: Patchbay signs with it, and the messenger sends it as a bearer token. Generate it, and hand it over.',
        'Его знают обе стороны: им подписывает Patchbay, и его присылает мессенджер. Сгенерируйте и передайте разработчикам.',
      ),
      fields: [
        {
          name: 'secret',
          label: words('Secret', 'Секрет'),
          help: words('At least 24 characters.', 'Не менее 24 символов.'),
          canMake: 'webhook secret',
        },
      ],
    },
  ],
  after: [
    {
      title: words('Hand over the address', 'Передайте адрес'),
      text: words(
        'The messenger posts messages to messages/ and receipts to receipts/ under it. docs/api-messenger.md describes both.',
        'Сообщения мессенджер отправляет на messages/ по этому адресу, отметки о доставке — на receipts/. Формат описан в docs/api-messenger.md.',
      ),
      gives: ['address', 'secret'],
    },
  ],
  tryOut: words('Send a message in your messenger.', 'Отправьте сообщение в вашем мессенджере.'),
};
