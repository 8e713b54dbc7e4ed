import { texts } from '../../../shared/language.tsx';

export const recipientTexts = texts(
  {
    filter: 'State',
    all: 'All',
    search: 'Identifier, phone number or external ID',
    variant: (letter: string) => `Variant ${letter}`,
    client: 'Client',
    platform: 'Platform',
    at: 'Last change',
    reactions: 'Reactions',
    more: 'Show more',
    download: 'Download all as CSV',
    none: 'This list is empty.',
    noneFound: 'No recipient has this identifier.',
    unnamed: 'No name',
    shown: (count: string) => `${count} shown`,
  },
  {
    ru: {
      filter: 'Состояние',
      all: 'Все',
      search: 'Идентификатор, телефон или внешний ID',
      variant: (letter) => `Вариант ${letter}`,
      client: 'Клиент',
      platform: 'Платформа',
      at: 'Последнее изменение',
      reactions: 'Реакции',
      more: 'Показать ещё',
      download: 'Скачать всех в CSV',
      none: 'Список пуст.',
      noneFound: 'Получателя с таким идентификатором нет.',
      unnamed: 'Без имени',
      shown: (count) => `Показано: ${count}`,
    },
  },
);
