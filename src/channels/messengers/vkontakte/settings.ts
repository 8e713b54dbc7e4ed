import Type, { type Static } from 'typebox';
import { apiRoot } from '../../contract/settings.ts';

export const usualRoot = 'https://api.vk.com';
export const usualVersion = '5.199';

export const settings = Type.Object({
  access_token: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~]+$',
    secret: true,
    description: 'A key of the community with access to its messages and its management.',
  }),
  group_id: Type.String({ pattern: '^\\d{1,20}$', description: 'The number of the community.' }),
  secret: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,50}$',
      secret: true,
      made: true,
      description: 'Sent with every event. Default: a random one.',
    }),
  ),
  api_version: Type.Optional(
    Type.String({ pattern: '^\\d{1,2}\\.\\d{1,3}$', description: `Default: ${usualVersion}.` }),
  ),
  api_root: apiRoot(usualRoot),
  /** The confirmation text that VK expects from a new address. */
  confirmation: Type.Optional(Type.String({ learnt: true })),
  /** The id of our address in the community's list. */
  server_id: Type.Optional(Type.String({ learnt: true })),
});

export type Settings = Static<typeof settings>;
