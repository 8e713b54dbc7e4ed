import Type, { type Static } from 'typebox';
import { apiRoot } from '../../contract/settings.ts';

export const usualRoot = 'https://api.green-api.com';

export const settings = Type.Object({
  instance_id: Type.String({ pattern: '^\\d{1,20}$', description: 'The number of the instance.' }),
  api_token: Type.String({
    // It is part of every called address.
    pattern: '^[A-Za-z0-9_-]{1,255}$',
    secret: true,
    description: 'The token of the instance.',
  }),
  webhook_token: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,255}$',
      secret: true,
      made: true,
      description: 'Sent with every notification. Default: a random one.',
    }),
  ),
  api_root: apiRoot(usualRoot),
});

export type Settings = Static<typeof settings>;
