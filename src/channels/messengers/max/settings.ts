import Type, { type Static } from 'typebox';
import { apiRoot } from '../../contract/settings.ts';

export const usualRoot = 'https://platform-api2.max.ru';

export const settings = Type.Object({
  access_token: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[!-~]+$',
    secret: true,
    description: 'The token of the bot, from its settings at business.max.ru.',
  }),
  secret: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{5,256}$',
      secret: true,
      made: true,
      description: 'Sent with every event. Default: a random one.',
    }),
  ),
  ca: Type.Optional(
    Type.String({
      pattern: '-----BEGIN CERTIFICATE-----',
      maxLength: 65_536,
      description: 'Certificates in PEM that are trusted for this API too. Its own is of the Russian state.',
    }),
  ),
  api_root: apiRoot(usualRoot),
});

export type Settings = Static<typeof settings>;
