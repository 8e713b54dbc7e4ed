import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import type { Names } from '../../contract/inbound.ts';
import { given } from '../answer.ts';
import { callGraph, type GraphCall } from '../graph.ts';
import type { GraphAccount } from './account.ts';

const maybeText = Type.Optional(Type.String());
const Person = Type.Object({
  name: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  username: maybeText,
});

/** Events have only the client's id. */
export async function namesBy(
  { settings, usualRoot }: GraphAccount,
  externalId: string,
  fields: string,
  client: Client,
): Promise<Names> {
  const call: GraphCall = { method: 'GET', path: encodeURIComponent(externalId), query: { fields } };
  const person = given(await callGraph(client, settings, usualRoot, call), 'Meta');
  if (!Value.Check(Person, person)) return {};
  const { username, first_name, last_name } = person;
  const name = person.name || [first_name, last_name].filter(Boolean).join(' ') || username;
  return { ...(name && { name }), ...(username && { username }) };
}
