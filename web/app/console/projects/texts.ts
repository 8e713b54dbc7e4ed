import { texts } from '../../shared/language.tsx';

export const projectTexts = texts(
  {
    title: 'New project',
    lead: 'A project has its own clients, channels, keys and team. You administer the one that you make.',
    name: 'Name of the project',
    create: 'Make the project',
    made: (name: string) => `“${name}” is made`,
    key: 'Its first bot key, for scripts that call the API:',
    open: 'Open the project',
  },
  {
    ru: {
      title: 'Новый проект',
      lead: 'У проекта свои клиенты, каналы, ключи и команда. Созданный проект администрируете вы.',
      name: 'Название проекта',
      create: 'Создать проект',
      made: (name) => `Проект «${name}» создан`,
      key: 'Его первый ключ бота — для скриптов, которые вызывают API:',
      open: 'Открыть проект',
    },
  },
);
