import Type, { type Static } from 'typebox';
import { apiRoot } from '../../contract/settings.ts';
import { graphVersion } from '../../shared/graph.ts';

export const usualRoot = 'https://graph.facebook.com';

/** They are parts of addresses. */
const Id = (description: string) => Type.String({ pattern: '^\\d{1,32}$', description });

const Secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, pattern: '^[!-~]+$', secret: true, description });

export const settings = Type.Object({
  phone_number_id: Id('The id of the phone number, not the number itself.'),
  waba_id: Id('The id of the WhatsApp Business account.'),
  access_token: Secret('A permanent token of a system user.'),
  app_secret: Secret('Signs the webhooks of the app.'),
  verify_token: Secret('Any text. Enter the same one at the app’s webhook.'),
  api_version: Type.Optional(
    Type.String({ pattern: '^v\\d{1,3}\\.\\d{1,2}$', description: `Default: ${graphVersion}.` }),
  ),
  api_root: apiRoot(usualRoot),
});

export type Settings = Static<typeof settings>;
