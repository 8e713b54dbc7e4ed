import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { given } from '../../shared/answer.ts';
import { callOk, type OkCall } from './api.ts';
import type { Settings } from './settings.ts';

const Group = Type.Object({ group_id: Type.String() });
const Subscribed = Type.Object({ success: Type.Literal(true) });

/** Only checks the key. No other data of a group are needed. */
export async function learn(settings: Settings, client: Client): Promise<object> {
  const owner = given(await callOk(client, settings, { method: 'GET', path: 'info' }), 'Odnoklassniki');
  if (!Value.Check(Group, owner)) throw new ForPeople('This is not the key of a group.');
  return {};
}

/** Gives Odnoklassniki the address for events. A repeated address is registered once. */
export async function setup(settings: Settings, url: string, client: Client): Promise<object> {
  const call: OkCall = { method: 'POST', path: 'subscribe', body: { url } };
  const answer = given(await callOk(client, settings, call), 'Odnoklassniki');
  if (!Value.Check(Subscribed, answer)) throw new ForPeople('Odnoklassniki did not take our address.');
  return {};
}
