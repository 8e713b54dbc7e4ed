import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { callGraph, type GraphAnswer } from '../../shared/graph.ts';
import { subscriptionOf } from '../../shared/graph-messages/inspect.ts';
import { askForNumber } from './account.ts';
import { errorOf } from './refusals.ts';
import { type Settings, usualRoot } from './settings.ts';

const Phone = Type.Object({
  display_phone_number: Type.String(),
  verified_name: Type.Optional(Type.String()),
});

const Business = Type.Object({ name: Type.String() });

export const check: Check<Settings> = {
  needs: ['phone_number_id', 'waba_id', 'access_token'],
  async ask(settings, client) {
    const phone = given(await askForNumber(settings, client), 'WhatsApp', errorOf);
    const business = given(await askForBusiness(settings, client), 'WhatsApp', errorOf);
    const facts = Value.Check(Business, business)
      ? [{ label: words('Account', 'Аккаунт'), value: business.name }]
      : [];
    if (!Value.Check(Phone, phone)) return { facts };
    const { display_phone_number, verified_name } = phone;
    const value = verified_name ? `${display_phone_number} (${verified_name})` : display_phone_number;
    return {
      facts: [{ label: words('Number', 'Номер'), value }, ...facts],
      link: `https://wa.me/${display_phone_number.replace(/\D/g, '')}`,
    };
  },
};

const askForBusiness = (settings: Settings, client: Client): Promise<GraphAnswer> =>
  callGraph(client, settings, usualRoot, {
    method: 'GET',
    path: settings.waba_id,
    query: { fields: 'name' },
  });

export const standing = (settings: Settings, _address: string, client: Client): Promise<Standing> =>
  subscriptionOf({ settings, usualRoot }, settings.waba_id, client, errorOf);
