import type { Client } from '../../contract/adapter.ts';
import { given } from '../answer.ts';
import { callGraph, type GraphCall, type GraphSettings } from '../graph.ts';

/** The page or professional account of the token: `me`. */
export type GraphAccount = { settings: GraphSettings; usualRoot: string };

/** Fields of the account itself. Reading them checks the token. Throws text for people. */
export const fieldsOf = async (
  { settings, usualRoot }: GraphAccount,
  fields: string,
  client: Client,
): Promise<unknown> =>
  given(
    await callGraph(client, settings, usualRoot, { method: 'GET', path: 'me', query: { fields } }),
    'Meta',
  );

/** Subscribes the app to these events. A person enters the address in the app's webhook settings. */
export async function subscribe(
  { settings, usualRoot }: GraphAccount,
  heard: readonly string[],
  client: Client,
): Promise<void> {
  const path = 'me/subscribed_apps';
  const call: GraphCall = { method: 'POST', path, query: { subscribed_fields: heard.join(',') } };
  given(await callGraph(client, settings, usualRoot, call), 'Meta');
}
