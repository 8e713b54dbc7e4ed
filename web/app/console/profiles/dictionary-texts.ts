import { counted, texts } from '../../shared/language.tsx';

export const dictionaryTexts = texts(
  {
    title: 'Tags and attributes',
    lead: 'Tags and attributes that profiles can have. Undefined tags and attributes are ignored.',
    tags: 'Tags',
    attributes: 'Attributes',
    addTag: 'New tag',
    addAttribute: 'New attribute',
    noTags: 'No tags yet. A tag marks a group of clients, such as “vip” or “asked for a price”.',
    noAttributes:
      'No attributes yet. An attribute has a value for each client, such as “city” or “shoe size”.',
    name: 'Name',
    profiles: 'Profiles',
    among: (count: string) => `Profiles (newest ${count})`,
    show: (name: string) => `Profiles with the tag ${name}`,
    remove: (name: string) => `Delete ${name}`,
    removeTagTitle: (name: string) => `Delete the tag “${name}”?`,
    removeAttributeTitle: (name: string) => `Delete the attribute “${name}”?`,
    tagGoes: (count: number) =>
      count === 0
        ? 'No profile has this tag.'
        : `The tag will be removed from ${counted('en', count, { one: 'profile', other: 'profiles' })}. This cannot be undone.`,
    attributeGoes:
      'The attribute will be removed from all profiles. This cannot be undone and may take a while.',
    mailings: 'These mailings use it and will no longer find clients by it:',
    scenarios: 'These scenarios use it and will ignore it:',
    unused: 'No planned mailing and no scenario uses it.',
  },
  {
    ru: {
      title: 'Теги и атрибуты',
      lead: 'Теги и атрибуты, которые могут быть у профилей. Неизвестные теги и атрибуты не сохраняются.',
      tags: 'Теги',
      attributes: 'Атрибуты',
      addTag: 'Новый тег',
      addAttribute: 'Новый атрибут',
      noTags: 'Тегов пока нет. Тег отмечает группу клиентов, например «vip» или «спрашивал цену».',
      noAttributes:
        'Атрибутов пока нет. У каждого клиента своё значение атрибута, например «город» или «размер обуви».',
      name: 'Название',
      profiles: 'Профили',
      among: (count) => `Профили (из ${count} последних)`,
      show: (name) => `Профили с тегом ${name}`,
      remove: (name) => `Удалить ${name}`,
      removeTagTitle: (name) => `Удалить тег «${name}»?`,
      removeAttributeTitle: (name) => `Удалить атрибут «${name}»?`,
      tagGoes: (count) =>
        count === 0
          ? 'Этого тега нет ни у одного профиля.'
          : `Тег будет снят у ${counted('ru', count, { one: 'профиля', few: 'профилей', many: 'профилей', other: 'профилей' })}. Отменить это нельзя.`,
      attributeGoes:
        'Атрибут будет удалён у всех профилей. Отменить это нельзя; удаление может занять время.',
      mailings: 'Эти рассылки его используют и больше никого по нему не найдут:',
      scenarios: 'Эти сценарии его используют и будут его пропускать:',
      unused: 'Ни одна запланированная рассылка и ни один сценарий его не используют.',
    },
  },
);
