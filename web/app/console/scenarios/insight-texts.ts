import { texts } from '../../shared/language.tsx';

export const insightTexts = texts(
  {
    numbers: 'Numbers on the cards',
    periods: { off: 'Off', '1': 'Today', '7': '7 days', '30': '30 days' },
    numbersHint: 'How many came and by which way they left, of all versions; how many wait there now.',
    walk: 'The way of a chat',
    walkHint: 'Chats that follow the scenario now, the latest first.',
    chooseWalk: 'Choose a chat',
    noWalks: 'No chat follows the scenario now',
    otherVersion: (version: string) => `This chat follows version ${version}.`,
  },
  {
    ru: {
      numbers: 'Числа на карточках',
      periods: { off: 'Нет', '1': 'Сегодня', '7': '7 дней', '30': '30 дней' },
      numbersHint: 'Сколько пришло и каким выходом ушло, по всем версиям; сколько ждёт там сейчас.',
      walk: 'Путь чата',
      walkHint: 'Чаты, которые идут по сценарию сейчас, последние сверху.',
      chooseWalk: 'Выберите чат',
      noWalks: 'Сейчас по сценарию не идёт ни один чат',
      otherVersion: (version) => `Этот чат идёт по версии ${version}.`,
    },
  },
);
