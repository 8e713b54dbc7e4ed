import Type, { type Static } from 'typebox';
import { graphApp, graphSecret } from '../../shared/graph.ts';

export const usualRoot = 'https://graph.facebook.com';

/** They are parts of addresses. */
const Id = (description: string) => Type.String({ pattern: '^\\d{1,32}$', description });

export const settings = Type.Object({
  phone_number_id: Id('The id of the phone number, not the number itself.'),
  waba_id: Id('The id of the WhatsApp Business account.'),
  access_token: graphSecret('A permanent token of a system user.'),
  ...graphApp(usualRoot),
});

export type Settings = Static<typeof settings>;
