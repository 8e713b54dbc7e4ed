import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, Standing } from '../../contract/adapter.ts';
import { refusalOf } from '../../contract/failure.ts';
import { callGraph, type GraphAnswer, type GraphSettings } from '../graph.ts';
import { errorOf } from './refusals.ts';

/** Throws `CredentialsRefused` for the token, and text for people otherwise. */
export function expected(answer: GraphAnswer): unknown {
  if (answer.ok) return answer.body;
  throw refusalOf(`Meta refused: ${answer.detail}`, errorOf(answer));
}

const Subscriptions = Type.Object({ data: Type.Array(Type.Unknown()) });

/** Whether an app is subscribed to the account at `path`. Meta lists only the app of the token. */
export async function subscriptionOf(
  settings: GraphSettings,
  usualRoot: string,
  path: string,
  client: Client,
): Promise<Standing> {
  const found = expected(
    await callGraph(client, settings, usualRoot, { method: 'GET', path: `${path}/subscribed_apps` }),
  );
  return { isRegistered: Value.Check(Subscriptions, found) ? found.data.length > 0 : null };
}
