import { texts } from '../../../shared/language.tsx';

export const recipientTexts = texts(
  {
    filter: 'State',
    all: 'All',
    search: 'Identifier, phone number or external id',
    client: 'Client',
    platform: 'Platform',
    at: 'Last change',
    reactions: 'Reactions',
    more: 'Show more',
    none: 'Nobody is in this list.',
    noneFound: 'Nobody among the recipients has this identifier.',
    unnamed: 'Client without a name',
    shown: (count: string) => `${count} shown`,
  },
  {
    ru: {
      filter: 'Состояние',
      all: 'Все',
      search: 'Идентификатор, телефон или внешний id',
      client: 'Клиент',
      platform: 'Платформа',
      at: 'Последнее изменение',
      reactions: 'Реакции',
      more: 'Показать ещё',
      none: 'В этом списке никого нет.',
      noneFound: 'Среди получателей нет такого идентификатора.',
      unnamed: 'Клиент без имени',
      shown: (count) => `Показано: ${count}`,
    },
  },
);
