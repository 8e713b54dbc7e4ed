import Type, { type Static } from 'typebox';
import { apiRoot } from '../../contract/settings.ts';

export const usualRoot = 'https://chatapi.viber.com';

export const settings = Type.Object({
  auth_token: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~]+$',
    secret: true,
    description: 'The token of the bot, which Viber also calls its app key.',
  }),
  sender_name: Type.String({
    minLength: 1,
    maxLength: 28,
    description: 'Shown above each message of the bot.',
  }),
  sender_avatar: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2000,
      description: 'Address of a picture beside each message, of 100 KB at most.',
    }),
  ),
  api_root: apiRoot(usualRoot),
});

export type Settings = Static<typeof settings>;
