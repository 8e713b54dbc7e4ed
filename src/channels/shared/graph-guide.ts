import { apiRootField, type Field, rarely, type Sketch, type Step, words } from '../contract/guide.ts';

const dashboard = 'https://developers.facebook.com/apps/';

/** The guide's steps that all messengers of Meta share. */

export const appStep = (useCase: { en: string; ru: string }): Step => ({
  title: words('Create an app at Meta', 'Создайте приложение в Meta'),
  text: words(
    'Open your apps at Meta and create one. Choose the use case shown here. An existing app serves too.',
    'Откройте список приложений Meta и создайте приложение. Выберите показанный сценарий. Подойдёт и готовое приложение.',
  ),
  link: dashboard,
  sketch: {
    window: 'developers.facebook.com',
    menu: [words('My Apps', 'Мои приложения'), words('Create App', 'Создать приложение')],
    parts: [{ tick: useCase, marked: true }, { button: words('Next', 'Далее') }],
  },
});

export const secretStep: Step = {
  title: words('Copy the app secret', 'Скопируйте секрет приложения'),
  text: words(
    'Meta signs all webhooks with it. Press Show beside the field and copy the value.',
    'Им Meta подписывает свои запросы. Нажмите «Показать» рядом с полем и скопируйте значение.',
  ),
  link: dashboard,
  sketch: {
    window: 'developers.facebook.com',
    menu: [words('App settings', 'Настройки приложения'), words('Basic', 'Основное')],
    parts: [
      { field: words('App ID', 'ID приложения'), value: '1234567890' },
      { field: words('App secret', 'Секрет приложения'), value: '••••••••••••', marked: true },
      { button: words('Show', 'Показать') },
    ],
  },
  fields: [{ name: 'app_secret', label: words('App secret', 'Секрет приложения') }],
};

const verifyField: Field = {
  name: 'verify_token',
  label: words('Verify token', 'Проверочный токен'),
  help: words(
    'Any text. You will enter the same text at Meta after adding the channel.',
    'Любой текст. После добавления канала введите такой же в Meta.',
  ),
  canMake: 'token',
};

export const verifyStep: Step = {
  title: words('Choose a verify token', 'Придумайте проверочный токен'),
  text: words(
    'Meta shows it once, to prove that the address is yours. Let the page generate one, and keep it for the next page.',
    'Meta предъявит его один раз, чтобы проверить адрес. Сгенерируйте его здесь: он понадобится на следующей странице.',
  ),
  fields: [verifyField],
};

export const versionStep: Step = rarely(
  {
    name: 'api_version',
    label: words('API version', 'Версия API'),
    help: words(
      'For example v25.0. Empty: the tested version.',
      'Например, v25.0. Если пусто, это проверенная версия.',
    ),
  },
  apiRootField,
);

/** A person enters our address in the app. */
export const addressStep = (menu: Sketch['menu'], events: readonly string[]): Step => ({
  title: words('Enter the address at Meta', 'Укажите адрес в Meta'),
  text: words(
    `Paste both values, then press Verify and save. Then subscribe to these events: ${events.join(', ')}.`,
    `Вставьте оба значения и нажмите «Подтвердить и сохранить». Затем подпишитесь на события: ${events.join(', ')}.`,
  ),
  link: dashboard,
  sketch: {
    window: 'developers.facebook.com',
    ...(menu && { menu }),
    parts: [
      { field: words('Callback URL', 'URL обратного вызова'), value: 'https://…/channels/…/', marked: true },
      { field: words('Verify token', 'Подтверждение маркера'), value: '••••••••', marked: true },
      { button: words('Verify and save', 'Подтвердить и сохранить') },
    ],
  },
  gives: ['address', 'verify_token'],
});
