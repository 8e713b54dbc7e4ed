import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import type { Names } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { callOk, type OkCall } from './api.ts';
import type { Settings } from './settings.ts';

const Chat = Type.Object({ title: Type.String({ minLength: 1 }) });

/** The title of a conversation with one person is their name. */
export async function namesOf(externalId: string, settings: Settings, client: Client): Promise<Names> {
  const call: OkCall = { method: 'GET', path: `chat/${encodeURIComponent(externalId)}` };
  const chat = given(await callOk(client, settings, call), 'Odnoklassniki');
  return Value.Check(Chat, chat) ? { name: chat.title } : {};
}
