import { texts } from '../../shared/language.tsx';

export const projectTexts = texts(
  {
    title: 'New project',
    lead: 'A project has its own clients, channels, keys and team. You become its administrator.',
    name: 'Project name',
    create: 'Create project',
    made: (name: string) => `Project “${name}” created`,
    key: 'The first bot key, for scripts that call the API:',
    open: 'Open the project',
  },
  {
    ru: {
      title: 'Новый проект',
      lead: 'У проекта свои клиенты, каналы, ключи и команда. Вы станете его администратором.',
      name: 'Название проекта',
      create: 'Создать проект',
      made: (name) => `Проект «${name}» создан`,
      key: 'Первый ключ бота, для скриптов, которые вызывают API:',
      open: 'Открыть проект',
    },
  },
);
