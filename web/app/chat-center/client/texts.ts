import { texts } from '../../shared/language.tsx';

export const clientTexts = texts(
  {
    title: 'Client',
    nobody: 'Open a chat to see its client here.',
    name: 'Name',
    phone_number: 'Phone',
    email: 'E-mail',
    external_id: 'Id in your system',
    timezone: 'Time zone',
    localTime: (time: string) => `It is ${time} there`,
    tags: 'Tags',
    addTag: 'Add a tag',
    attributes: 'Attributes',
    removeTag: (tag: string) => `Remove the tag ${tag}`,
    otherChats: 'Other chats of this client',
    unknownTags: (tags: string) =>
      `Not kept, as the project does not know them: ${tags}. An administrator can add tags in the console.`,
    agreed: (at: string) => `Agreed to the processing of personal data: ${at}`,
    since: (at: string) => `Known since ${at}`,
  },
  {
    ru: {
      title: 'Клиент',
      nobody: 'Откройте чат, и его клиент появится здесь.',
      name: 'Имя',
      phone_number: 'Телефон',
      email: 'Почта',
      external_id: 'Номер в вашей системе',
      timezone: 'Часовой пояс',
      localTime: (time) => `Там сейчас ${time}`,
      tags: 'Теги',
      addTag: 'Добавить тег',
      attributes: 'Атрибуты',
      removeTag: (tag) => `Убрать тег ${tag}`,
      otherChats: 'Другие чаты этого клиента',
      unknownTags: (tags) =>
        `Не сохранено, в проекте нет таких тегов: ${tags}. Их добавляет администратор в консоли.`,
      agreed: (at) => `Согласие на обработку данных: ${at}`,
      since: (at) => `Известен с ${at}`,
    },
  },
);
