import Type, { type Static } from 'typebox';
import { apiRoot, secretEnding } from '../../contract/settings.ts';

export const usualRoot = 'https://apiauto.ru';

export const settings = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~]+$',
    secret: true,
    description: 'The ChatId beside our address in the dealer’s account.',
  }),
  api_root: apiRoot(usualRoot),
  ...secretEnding,
});

export type Settings = Static<typeof settings>;
