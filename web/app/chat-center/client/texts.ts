import { texts } from '../../shared/language.tsx';

export const clientTexts = texts(
  {
    title: 'Client',
    nobody: 'Open a chat to see the client here.',
    name: 'Name',
    phone_number: 'Phone',
    email: 'Email',
    external_id: 'ID in your system',
    timezone: 'Time zone',
    localTime: (time: string) => `Local time: ${time}`,
    tags: 'Tags',
    addTag: 'Add a tag',
    attributes: 'Attributes',
    removeTag: (tag: string) => `Remove the tag ${tag}`,
    otherChats: 'Other chats of this client',
    unknownTags: (tags: string) =>
      `Not saved: the project has no tags ${tags}. An administrator can add them in the console.`,
    agreed: (at: string) => `Consent to personal data processing: ${at}`,
    since: (at: string) => `Client since ${at}`,
  },
  {
    ru: {
      title: 'Клиент',
      nobody: 'Откройте чат, чтобы увидеть клиента.',
      name: 'Имя',
      phone_number: 'Телефон',
      email: 'Почта',
      external_id: 'ID в вашей системе',
      timezone: 'Часовой пояс',
      localTime: (time) => `Местное время: ${time}`,
      tags: 'Теги',
      addTag: 'Добавить тег',
      attributes: 'Атрибуты',
      removeTag: (tag) => `Убрать тег ${tag}`,
      otherChats: 'Другие чаты этого клиента',
      unknownTags: (tags) =>
        `Не сохранено: в проекте нет тегов ${tags}. Администратор может добавить их в консоли.`,
      agreed: (at) => `Согласие на обработку персональных данных: ${at}`,
      since: (at) => `Клиент с ${at}`,
    },
  },
);
