import Type, { type Static } from 'typebox';
import { Choice } from '../../platform/http/fields.ts';

const languages = ['en', 'ru'] as const;

/** The language of a person's pages, for the files that they download. */
export const InLanguage = Type.Object({ language: Type.Optional(Choice(languages)) });

/** The names of a file's columns, in each language. */
export type Headings = { readonly [language in (typeof languages)[number]]: readonly string[] };

export const headingsIn = (headings: Headings, { language = 'en' }: Static<typeof InLanguage>) =>
  headings[language];
