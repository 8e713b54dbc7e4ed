import Type, { type Static } from 'typebox';
import { apiRoot, secretEnding } from '../../contract/settings.ts';

export const usualRoot = 'https://api-seller.ozon.ru';

const header = { minLength: 1, maxLength: 1024, pattern: '^[!-~]+$' };

export const settings = Type.Object({
  client_id: Type.String({ ...header, description: 'From the page “Seller API” of the Ozon account.' }),
  api_key: Type.String({
    ...header,
    secret: true,
    description: 'Created on the same page, with access to chats.',
  }),
  api_root: apiRoot(usualRoot),
  ...secretEnding,
});

export type Settings = Static<typeof settings>;
