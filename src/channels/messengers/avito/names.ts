import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import type { Names } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { callAvito } from './api.ts';
import type { Settings } from './settings.ts';

const Chat = Type.Object({
  users: Type.Array(
    Type.Object({ id: Type.Union([Type.Integer(), Type.String()]), name: Type.Optional(Type.String()) }),
  ),
});

/** A chat has two people: the account, and its client. */
export async function namesOf(externalId: string, settings: Settings, client: Client): Promise<Names> {
  const path = `v2/accounts/${settings.user_id}/chats/${encodeURIComponent(externalId)}`;
  const chat = given(await callAvito(client, settings, { method: 'GET', path }), 'Avito');
  if (!Value.Check(Chat, chat)) return {};
  const name = chat.users.find(({ id }) => String(id) !== settings.user_id)?.name;
  return name ? { name } : {};
}
