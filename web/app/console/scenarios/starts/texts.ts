import { texts } from '../../../shared/language.tsx';

export const startTexts = texts(
  {
    none: 'Nothing starts it by itself. Push messages, mailings and other scenarios can.',
    api: 'Push messages, mailings and other scenarios start it in any case.',
    kind: 'When',
    kinds: {
      welcome: 'A client writes for the first time',
      keyword: 'A client writes a keyword',
      link: 'A client comes by a link',
    },
    values: {
      welcome: '',
      keyword: 'Keyword',
      link: 'Parameter of the link',
    },
    hints: {
      welcome: 'The chat must run no scenario yet.',
      keyword: 'The whole message, without regard to case. A star stands for anything: order*',
      link: 'For example “sale” for t.me/…?start=sale. A star stands for anything.',
    },
    add: 'Add',
    told: {
      welcome: (_value: string) => 'A client’s first message',
      keyword: (value: string) => `The keyword “${value}”`,
      link: (value: string) => `A link with “${value}”`,
    },
    enabled: (what: string) => `On: ${what}`,
    remove: (what: string) => `Remove: ${what}`,
    taken: 'This already starts another scenario:',
    own: 'This starts the scenario already.',
    overlapping: 'Some messages would also match:',
    rule: 'Then a whole word goes before stars, and of those with stars the longest.',
  },
  {
    ru: {
      none: 'Сам по себе он ни с чего не начинается. Его запускают push-сообщения, рассылки и другие сценарии.',
      api: 'Push-сообщения, рассылки и другие сценарии запускают его в любом случае.',
      kind: 'Когда',
      kinds: {
        welcome: 'Клиент пишет впервые',
        keyword: 'Клиент пишет ключевое слово',
        link: 'Клиент пришёл по ссылке',
      },
      values: {
        welcome: '',
        keyword: 'Ключевое слово',
        link: 'Параметр ссылки',
      },
      hints: {
        welcome: 'Если в чате ещё не идёт сценарий.',
        keyword: 'Всё сообщение целиком, регистр не важен. Звёздочка заменяет любой текст: заказ*',
        link: 'Например, «sale» для t.me/…?start=sale. Звёздочка заменяет любой текст.',
      },
      add: 'Добавить',
      told: {
        welcome: () => 'Первое сообщение клиента',
        keyword: (value) => `Ключевое слово «${value}»`,
        link: (value) => `Ссылка с «${value}»`,
      },
      enabled: (what) => `Включено: ${what}`,
      remove: (what) => `Удалить: ${what}`,
      taken: 'С этого уже начинается другой сценарий:',
      own: 'Сценарий уже начинается с этого.',
      overlapping: 'Некоторые сообщения подойдут и сюда:',
      rule: 'Тогда целое слово важнее звёздочек, а среди слов со звёздочками — самое длинное.',
    },
  },
);
