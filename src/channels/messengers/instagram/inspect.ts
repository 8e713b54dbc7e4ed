import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { apiRootOf } from '../../contract/settings.ts';
import { fieldsOf } from '../../shared/graph-messages/account.ts';
import { subscriptionOf } from '../../shared/graph-messages/inspect.ts';
import { jsonIn } from '../../shared/json.ts';
import { accountOf, type Settings } from './settings.ts';

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

const Renewed = Type.Object({
  access_token: Type.String({ pattern: '^[!-~]+$' }),
  expires_in: Type.Integer(),
});

/** A token lasts 60 days. Each renewal begins them anew. A token younger than a day is not renewed. */
export async function standing(
  settings: Settings,
  _address: string,
  client: Client,
  now: Date,
): Promise<Standing<Settings>> {
  const { settings: account, usualRoot } = accountOf(settings);
  const known = await subscriptionOf(account, usualRoot, 'me', client);
  const query = new URLSearchParams({ grant_type: 'ig_refresh_token', access_token: settings.access_token });
  const answer = await client.request({
    url: `${apiRootOf(settings.api_root, usualRoot)}/refresh_access_token?${query}`,
    method: 'GET',
    redact: [settings.access_token],
    timeoutMs: 15_000,
    maxResponseBytes: 64 * 1024,
  });
  const renewed = jsonIn(answer.body);
  if (answer.status !== 200 || !Value.Check(Renewed, renewed)) return known;
  const { access_token, expires_in } = renewed;
  return {
    ...known,
    lapsesAt: new Date(now.getTime() + expires_in * 1000),
    ...(access_token !== settings.access_token && { renewed: { access_token } }),
  };
}
