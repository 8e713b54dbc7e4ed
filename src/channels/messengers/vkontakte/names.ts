import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import type { Names } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { callVk, type VkCall } from './api.ts';
import type { Settings } from './settings.ts';

const maybeText = Type.Optional(Type.String());
const Users = Type.Array(Type.Object({ first_name: maybeText, last_name: maybeText }));

/** VK's messages have only the number of their author. */
export async function namesOf(externalId: string, settings: Settings, client: Client): Promise<Names> {
  const call: VkCall = { method: 'users.get', parameters: { user_ids: externalId } };
  const users = given(await callVk(client, settings, call), 'VK');
  const [user] = Value.Check(Users, users) ? users : [];
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ');
  return name ? { name } : {};
}
