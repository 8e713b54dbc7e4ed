import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { askForSelf } from './account.ts';
import { type AvitoCall, callAvito, jsonOf } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

/** The chats of the account prove the keys and the tariff. */
export const check: Check<Settings> = {
  needs: ['client_id', 'client_secret', 'user_id'],
  async ask(settings, client) {
    const self = await askForSelf(settings, client);
    const path = `v2/accounts/${settings.user_id}/chats`;
    given(
      await callAvito(client, settings, { method: 'GET', path, query: { limit: '1' } }),
      'Avito',
      errorOf,
    );
    return { facts: self?.name ? [{ label: words('Account', 'Аккаунт'), value: self.name }] : [] };
  },
};

const Subscriptions = Type.Object({ subscriptions: Type.Array(Type.Object({ url: Type.String() })) });

/** Avito lists them in the answer to a POST. */
export async function standing(settings: Settings, address: string, client: Client): Promise<Standing> {
  const call: AvitoCall = { method: 'POST', path: 'v1/subscriptions', sent: jsonOf({}) };
  const found = given(await callAvito(client, settings, call), 'Avito', errorOf);
  if (!Value.Check(Subscriptions, found)) return { isRegistered: null };
  return { isRegistered: found.subscriptions.some(({ url }) => url === address) };
}
