import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { callGraph } from '../../shared/graph.ts';
import { subscriptionOf } from '../../shared/graph-messages/inspect.ts';
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
    const phone = await read(
      settings,
      settings.phone_number_id,
      'display_phone_number,verified_name',
      client,
    );
    const business = await read(settings, settings.waba_id, 'name', client);
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

const read = async (settings: Settings, path: string, fields: string, client: Client): Promise<unknown> =>
  given(
    await callGraph(client, settings, usualRoot, { method: 'GET', path, query: { fields } }),
    'WhatsApp',
    errorOf,
  );

export const standing = (settings: Settings, _address: string, client: Client): Promise<Standing> =>
  subscriptionOf({ settings, usualRoot }, settings.waba_id, client, errorOf);
