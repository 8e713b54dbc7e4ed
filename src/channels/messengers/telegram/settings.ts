import { createHmac } from 'node:crypto';
import Type, { type Static } from 'typebox';

export const settings = Type.Object({
  bot_token: Type.String({
    // It is part of every called address.
    pattern: '^[A-Za-z0-9:_-]+$',
    maxLength: 255,
    secret: true,
    description: 'The token from BotFather.',
  }),
  api_root: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'The Bot API server. Default: https://api.telegram.org.',
    }),
  ),
  mode: Type.Optional(
    Type.Unsafe<'webhook' | 'polling'>({
      type: 'string',
      enum: ['webhook', 'polling'],
      description:
        'Default: webhook, which requires a public https address of this server. polling requires none.',
    }),
  ),
});

export type Settings = Static<typeof settings>;

export const apiRoot = ({ api_root = 'https://api.telegram.org' }: Settings): string =>
  api_root.replace(/\/+$/, '');

export const isPolled = ({ mode }: Settings): boolean => mode === 'polling';

/**
 * Telegram sends it with every update, so that no other caller can send us one. It is derived from the token. A new
 * channel therefore has nothing to make, store or show, and it changes with the token.
 */
export const webhookSecret = ({ bot_token }: Settings): string =>
  createHmac('sha256', bot_token).update('patchbay telegram webhook').digest('base64url');
