import Type, { type Static } from 'typebox';
import { apiRoot, secretEnding } from '../../contract/settings.ts';

export const usualRoot = 'https://api.avito.ru';

export const settings = Type.Object({
  client_id: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'From the page “For developers” of the Avito account.',
  }),
  client_secret: Type.String({
    minLength: 1,
    maxLength: 1024,
    secret: true,
    description: 'Shown below the client id.',
  }),
  user_id: Type.String({ pattern: '^\\d{1,20}$', description: 'The number of the Avito account.' }),
  api_root: apiRoot(usualRoot),
  ...secretEnding,
});

export type Settings = Static<typeof settings>;
