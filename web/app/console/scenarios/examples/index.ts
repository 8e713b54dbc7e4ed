import type { Language } from '../../../shared/language.tsx';
import emptyEn from './empty.en.json';
import emptyRu from './empty.ru.json';
import menuEn from './menu.en.json';
import menuRu from './menu.ru.json';
import phoneEn from './phone.en.json';
import phoneRu from './phone.ru.json';
import promocodeEn from './promocode.en.json';
import promocodeRu from './promocode.ru.json';

export const exampleKeys = ['empty', 'menu', 'phone', 'promocode'] as const;
export type ExampleKey = (typeof exampleKeys)[number];

/** A starting scenario with a script that passes. */
export type Example = { scenario: { name: string; steps: object[] }; script: object };

export const examples: Record<ExampleKey, Record<Language, Example>> = {
  empty: { en: emptyEn, ru: emptyRu },
  menu: { en: menuEn, ru: menuRu },
  phone: { en: phoneEn, ru: phoneRu },
  promocode: { en: promocodeEn, ru: promocodeRu },
};
