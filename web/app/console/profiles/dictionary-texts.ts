import { counted, texts } from '../../shared/language.tsx';

export const dictionaryTexts = texts(
  {
    title: 'Tags and attributes',
    lead: 'What profiles may carry. What is not defined here is passed over wherever it comes from.',
    tags: 'Tags',
    attributes: 'Attributes',
    addTag: 'New tag',
    addAttribute: 'New attribute',
    noTags: 'No tags yet. A tag marks a group of clients: “vip”, “asked for a price”.',
    noAttributes: 'No attributes yet. An attribute has a value for each client: “city”, “size of shoes”.',
    name: 'Name',
    profiles: 'Profiles',
    among: (count: string) => `Profiles, of the newest ${count}`,
    show: (name: string) => `Profiles with the tag ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removeTagTitle: (name: string) => `Delete the tag “${name}”?`,
    removeAttributeTitle: (name: string) => `Delete the attribute “${name}”?`,
    tagGoes: (count: number) =>
      count === 0
        ? 'No profile carries it.'
        : `It is taken off ${counted('en', count, { one: 'profile', other: 'profiles' })}. This cannot be undone.`,
    attributeGoes:
      'Its values are deleted from all profiles that have it. This cannot be undone, and takes a while where there are many.',
    mailings: 'These mailings name it, and will not find anybody by it any more:',
    scenarios: 'These scenarios name it, and will pass over it:',
    unused: 'No planned mailing and no scenario names it.',
  },
  {
    ru: {
      title: 'Теги и атрибуты',
      lead: 'Что может быть у профилей. Неизвестное здесь пропускается, откуда бы оно ни пришло.',
      tags: 'Теги',
      attributes: 'Атрибуты',
      addTag: 'Новый тег',
      addAttribute: 'Новый атрибут',
      noTags: 'Тегов пока нет. Тег отмечает группу клиентов: «vip», «спрашивал цену».',
      noAttributes:
        'Атрибутов пока нет. У атрибута есть значение для каждого клиента: «город», «размер обуви».',
      name: 'Название',
      profiles: 'Профили',
      among: (count) => `Профили, из ${count} новейших`,
      show: (name) => `Профили с тегом ${name}`,
      remove: (name) => `Удалить ${name}`,
      removeTagTitle: (name) => `Удалить тег «${name}»?`,
      removeAttributeTitle: (name) => `Удалить атрибут «${name}»?`,
      tagGoes: (count) =>
        count === 0
          ? 'Его нет ни у одного профиля.'
          : `Он будет снят у ${counted('ru', count, { one: 'профиля', few: 'профилей', many: 'профилей', other: 'профилей' })}. Отменить это нельзя.`,
      attributeGoes:
        'Его значения будут удалены у всех профилей, где они есть. Отменить это нельзя; если профилей много, это займёт время.',
      mailings: 'Эти рассылки его упоминают и больше никого по нему не найдут:',
      scenarios: 'Эти сценарии его упоминают и будут его пропускать:',
      unused: 'Ни одна запланированная рассылка и ни один сценарий его не упоминают.',
    },
  },
);
