import Type, { type Static } from 'typebox';
import { apiRoot, secretEnding } from '../../contract/settings.ts';

export const usualRoot = 'https://api.ok.ru';

export const settings = Type.Object({
  access_token: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~]+$',
    secret: true,
    description: 'The key of the group, from its settings: Management, then API.',
  }),
  api_root: apiRoot(usualRoot),
  ...secretEnding,
});

export type Settings = Static<typeof settings>;
