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
    quiet: 'Quiet hours of mailings',
    quietHint:
      'No mailing reaches a client in these hours, by the clock where the client is. The messages wait until the hours end. Other messages are not affected.',
    quietFrom: 'From',
    quietUntil: 'Until',
    timezone: 'Time zone',
    timezoneHint:
      'For clients whose own zone and phone number are unknown. By phone number it is quiet if it is quiet anywhere in the country.',
    cap: 'Frequency cap of mailings',
    capHint:
      'A client gets at most this many mailings in this many days. Further ones are not delivered, with the reason. Leave both empty for no cap.',
    capMessages: 'Mailings',
    capDays: 'Days',
    start: 'Start and success of mailings',
    conversionDays: 'Conversions count for',
    conversionDaysHint:
      'Days. What a client does within them, as your system reports it, counts for the mailing that the client got last.',
    approval: 'A second person approves',
    approvalHint:
      'A mailing made in the console starts only after another administrator has approved it. Nobody approves their own. Mailings of programs (API) are not affected.',
    testAbove: 'A test is required above',
    testAboveHint:
      'Recipients. A larger mailing starts only after its content was sent to a colleague. Leave empty for no such rule. Mailings of programs (API) are not affected.',
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
      quiet: 'Тихие часы рассылок',
      quietHint:
        'В эти часы рассылки не приходят; время считается там, где находится клиент. Сообщения ждут конца тихих часов. На остальные сообщения это не влияет.',
      quietFrom: 'С',
      quietUntil: 'До',
      timezone: 'Часовой пояс',
      timezoneHint:
        'Для клиентов, у которых неизвестны пояс и номер телефона. По номеру тихо, если тихо хоть где-то в его стране.',
      cap: 'Ограничение частоты рассылок',
      capHint:
        'Клиент получает не больше стольких рассылок за столько дней. Остальные не доставляются, с указанием причины. Оставьте поля пустыми, если ограничения нет.',
      capMessages: 'Рассылок',
      capDays: 'Дней',
      start: 'Начало и успех рассылок',
      conversionDays: 'Действия засчитываются',
      conversionDaysHint:
        'Дней. Что клиент сделал за это время по данным вашей системы, засчитывается последней полученной рассылке.',
      approval: 'Рассылку одобряет второй человек',
      approvalHint:
        'Рассылка из консоли начнётся только после одобрения другим администратором. Свою рассылку никто не одобряет. На рассылки программ (API) это не влияет.',
      testAbove: 'Проверка на себе обязательна, если получателей больше',
      testAboveHint:
        'Такая рассылка начнётся только после того, как её содержание отправили коллеге. Оставьте пустым, если правила нет. На рассылки программ (API) это не влияет.',
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
