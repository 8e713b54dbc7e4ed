import { texts } from '../../shared/language.tsx';

export const settingsTexts = texts(
  {
    title: 'Settings',
    lead: 'How this project works.',
    name: 'Name of the project',
    tracks: 'Track links in mailings',
    tracksHint:
      'Links are replaced by this service’s own, so that clicks are counted. Holds for new mailings.',
    sessions: 'A client’s message opens a session',
    sessionsHint:
      'Operators then see every client who writes as waiting. Off: only those whom a scenario hands over.',
    country: 'Country of phone numbers',
    countryHint:
      'Numbers without a country code are then read as this country writes them, in files and in the console. Programs always give the code.',
    noCountry: 'None',
    starts: 'What clients start by writing',
    welcome: 'With their first message',
    nothing: 'Nothing',
    keywords: 'With a message of just this word',
    keywordsHint: 'Capitals do not matter.',
    keyword: 'Word',
    scenario: 'Scenario',
    nthKeyword: (n: string) => `Word ${n}`,
    nthScenario: (n: string) => `Scenario of word ${n}`,
    noKeywords: 'No words yet.',
    addKeyword: 'Add a word',
    drop: (word: string) => `Take away ${word}`,
    noScenarios: 'There are no scenarios yet. Build one first.',
    toScenarios: 'To the scenarios',
  },
  {
    ru: {
      title: 'Настройки',
      lead: 'Как работает этот проект.',
      name: 'Название проекта',
      tracks: 'Отслеживать ссылки в рассылках',
      tracksHint: 'Ссылки заменяются собственными, и переходы считаются. Действует для новых рассылок.',
      sessions: 'Сообщение клиента открывает сессию',
      sessionsHint:
        'Тогда каждый написавший клиент попадает к операторам как ожидающий. Иначе — только те, кого передал сценарий.',
      country: 'Страна телефонных номеров',
      countryHint:
        'Номера без кода страны в файлах и в консоли читаются так, как пишут в этой стране. Программы всегда указывают код.',
      noCountry: 'Не задана',
      starts: 'Что клиенты запускают сообщением',
      welcome: 'Первым сообщением',
      nothing: 'Ничего',
      keywords: 'Сообщением из одного этого слова',
      keywordsHint: 'Регистр букв не важен.',
      keyword: 'Слово',
      scenario: 'Сценарий',
      nthKeyword: (n) => `Слово ${n}`,
      nthScenario: (n) => `Сценарий слова ${n}`,
      noKeywords: 'Слов пока нет.',
      addKeyword: 'Добавить слово',
      drop: (word) => `Убрать: ${word}`,
      noScenarios: 'Сценариев пока нет. Сначала создайте сценарий.',
      toScenarios: 'К сценариям',
    },
  },
);
