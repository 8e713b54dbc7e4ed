import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { fieldsOf } from '../../shared/graph-messages/account.ts';
import { subscriptionOf } from '../../shared/graph-messages/inspect.ts';
import { errorOf } from '../../shared/graph-messages/refusals.ts';
import { accountOf, currentAccountOf, type Settings } from './settings.ts';

const Professional = Type.Object({ username: Type.String() });

export const check: Check<Settings> = {
  needs: ['access_token'],
  async ask(settings, client) {
    const account = await fieldsOf(accountOf(settings), 'user_id,username', client);
    if (!Value.Check(Professional, account)) return { facts: [] };
    const { username } = account;
    return {
      facts: [{ label: words('Account', 'Аккаунт'), value: `@${username}` }],
      link: `https://ig.me/m/${username}`,
    };
  },
};

export async function standing(settings: Settings, _address: string, client: Client): Promise<Standing> {
  return subscriptionOf(await currentAccountOf(settings, client), 'me', client, errorOf);
}
