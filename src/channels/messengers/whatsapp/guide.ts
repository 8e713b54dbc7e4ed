import { type Guide, words } from '../../contract/guide.ts';
import { addressStep, appStep, secretStep, verifyStep, versionStep } from '../../shared/graph-guide.ts';

export const guide: Guide = {
  before: [
    appStep(words('Connect with customers through WhatsApp', 'Общение с клиентами через WhatsApp')),
    {
      title: words('Copy both ids', 'Скопируйте оба идентификатора'),
      text: words(
        'Choose the phone number. Copy the two ids below it. They are not the phone number.',
        'Выберите номер. Скопируйте два идентификатора под ним. Это не сам номер.',
      ),
      link: 'https://developers.facebook.com/apps/',
      sketch: {
        window: 'developers.facebook.com',
        menu: [words('WhatsApp', 'WhatsApp'), words('API Setup', 'Настройка API')],
        parts: [
          { field: words('From', 'От'), value: '+1 555 010 2030' },
          { field: words('Phone number ID', 'ID номера телефона'), value: '106540352242922', marked: true },
          {
            field: words('WhatsApp Business Account ID', 'ID аккаунта WhatsApp Business'),
            value: '102290129340398',
            marked: true,
          },
        ],
      },
      fields: [
        { name: 'phone_number_id', label: words('Phone number ID', 'ID номера') },
        { name: 'waba_id', label: words('WhatsApp Business account ID', 'ID аккаунта WhatsApp Business') },
      ],
    },
    {
      title: words('Make a permanent token', 'Создайте постоянный токен'),
      text: words(
        'The token on the setup page lapses after a day. Add a system user instead, assign the app and the account, and generate a token.',
        'Токен на странице настройки действует один день. Вместо него добавьте системного пользователя, назначьте ему приложение и аккаунт и создайте токен.',
      ),
      link: 'https://business.facebook.com/settings/system-users',
      sketch: {
        window: 'business.facebook.com',
        menu: [
          words('Settings', 'Настройки'),
          words('Users', 'Пользователи'),
          words('System users', 'Системные пользователи'),
        ],
        parts: [
          { field: words('Token expiration', 'Срок действия'), value: 'Never' },
          { tick: words('whatsapp_business_messaging', 'whatsapp_business_messaging') },
          { tick: words('whatsapp_business_management', 'whatsapp_business_management') },
          { button: words('Generate token', 'Создать токен'), marked: true },
        ],
      },
      fields: [{ name: 'access_token', label: words('Access token', 'Токен доступа') }],
    },
    secretStep,
    verifyStep,
    versionStep,
  ],
  after: [
    addressStep(
      [words('WhatsApp', 'WhatsApp'), words('Configuration', 'Конфигурация')],
      ['messages', 'message_template_status_update', 'message_template_components_update'],
    ),
  ],
  tryOut: words(
    'Write to the number in WhatsApp. The first message to a client needs an approved template.',
    'Напишите на этот номер в WhatsApp. Первое сообщение клиенту должно быть одобренным шаблоном.',
  ),
};
