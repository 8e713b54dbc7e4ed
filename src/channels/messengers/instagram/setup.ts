import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { fieldsOf, subscribe } from '../../shared/graph-messages/account.ts';
import { accountOf, type Settings } from './settings.ts';

/** The app needs the same webhook fields as its subscription to the account. */
export const heard: readonly string[] = [
  'messages',
  'messaging_postbacks',
  'messaging_referral',
  'messaging_seen',
];

/** Webhooks name an account by its `user_id`. Its `id` differs in each app. */
const Professional = Type.Object({ user_id: Type.Union([Type.String({ minLength: 1 }), Type.Integer()]) });

/** The account of the token. */
export async function learn(settings: Settings, client: Client): Promise<Partial<Settings>> {
  const account = await fieldsOf(accountOf(settings), 'user_id', client);
  if (!Value.Check(Professional, account)) throw new ForPeople('Meta named no account.');
  return { account_id: String(account.user_id) };
}

export async function setup(settings: Settings, _address: string, client: Client): Promise<object> {
  await subscribe(accountOf(settings), heard, client);
  return {};
}
