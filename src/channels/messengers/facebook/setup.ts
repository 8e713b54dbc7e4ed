import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { fieldsOf, subscribe } from '../../shared/graph-messages/account.ts';
import { accountOf, type Settings } from './settings.ts';

/** The app needs the same webhook fields as its subscription to the page. */
export const heard: readonly string[] = [
  'messages',
  'messaging_postbacks',
  'messaging_referrals',
  'message_deliveries',
  'message_reads',
];

const Page = Type.Object({ id: Type.String({ minLength: 1 }) });

/** The page of the token. */
export async function learn(settings: Settings, client: Client): Promise<Partial<Settings>> {
  const page = await fieldsOf(accountOf(settings), 'id', client);
  if (!Value.Check(Page, page)) throw new ForPeople('Meta named no page.');
  return { page_id: page.id };
}

export async function setup(settings: Settings, _address: string, client: Client): Promise<object> {
  await subscribe(accountOf(settings), heard, client);
  return {};
}
