import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, Standing } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { given } from '../answer.ts';
import { callGraph, type GraphRefused } from '../graph.ts';
import type { GraphAccount } from './account.ts';

const Subscriptions = Type.Object({ data: Type.Array(Type.Unknown()) });

/**
 * Whether an app is subscribed to the account at `path`. Meta lists only the app of the token.
 * @param errorOf the messenger's own reading of refusals: each has other codes
 */
export async function subscriptionOf(
  { settings, usualRoot }: GraphAccount,
  path: string,
  client: Client,
  errorOf: (refused: GraphRefused) => SendError,
): Promise<Standing> {
  const answer = await callGraph(client, settings, usualRoot, {
    method: 'GET',
    path: `${path}/subscribed_apps`,
  });
  const found = given(answer, 'Meta', errorOf);
  return { isRegistered: Value.Check(Subscriptions, found) ? found.data.length > 0 : null };
}
