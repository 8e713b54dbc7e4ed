import { texts } from '../../shared/language.tsx';

export const settingsTexts = texts(
  {
    title: 'Settings',
    lead: 'Settings of this project.',
    name: 'Project name',
    tracks: 'Track links in mailings',
    tracksHint: 'Patchbay replaces links with tracked links to count clicks. Applies to new mailings.',
    sessions: 'A client’s message opens a session',
    sessionsHint:
      'On: every chat with a new client message appears in “Waiting”. Off: only chats handed over by a scenario.',
    country: 'Default country for phone numbers',
    countryHint:
      'Applies to numbers without a country code in files and in the console. API calls must include the code.',
    noCountry: 'None',
    starts: 'What starts a scenario is set beside it, under “Starts”.',
    toScenarios: 'Scenarios',
    secrets: 'Scenario secrets',
    secretsLead: 'Scenario requests use a secret as {{secret:NAME}}. Its value is never shown again.',
    secretName: 'Name',
    secretNameHint: 'Letters, digits and _.',
    secretHost: 'Host',
    secretHostHint: 'The secret is sent only to this host, for example crm.example.com.',
    secretValue: 'Value',
    secretSet: 'Set',
    secretSave: 'Save secret',
    secretDelete: 'Delete',
    secretDeleteAsk: (name: string) => `Delete ${name}?`,
    secretDeleteText: 'Requests that use this secret will fail.',
  },
  {
    ru: {
      title: 'Настройки',
      lead: 'Настройки этого проекта.',
      name: 'Название проекта',
      tracks: 'Отслеживать ссылки в рассылках',
      tracksHint:
        'Patchbay заменяет ссылки отслеживаемыми, чтобы считать переходы. Действует для новых рассылок.',
      sessions: 'Сообщение клиента открывает обращение',
      sessionsHint:
        'Включено: каждый чат с новым сообщением клиента попадает в «Ждут». Выключено: только чаты, переданные сценарием.',
      country: 'Страна телефонных номеров по умолчанию',
      countryHint:
        'Действует для номеров без кода страны в файлах и в консоли. В вызовах API код обязателен.',
      noCountry: 'Не задана',
      starts: 'Что запускает сценарий, задаётся рядом с ним, на вкладке «Запуск».',
      toScenarios: 'Сценарии',
      secrets: 'Секреты сценариев',
      secretsLead:
        'Запросы сценариев используют секрет как {{secret:ИМЯ}}. Значение больше никогда не показывается.',
      secretName: 'Имя',
      secretNameHint: 'Латинские буквы, цифры и _.',
      secretHost: 'Хост',
      secretHostHint: 'Секрет отправляется только на этот хост, например crm.example.com.',
      secretValue: 'Значение',
      secretSet: 'Задан',
      secretSave: 'Сохранить секрет',
      secretDelete: 'Удалить',
      secretDeleteAsk: (name) => `Удалить ${name}?`,
      secretDeleteText: 'Запросы с этим секретом перестанут работать.',
    },
  },
);
