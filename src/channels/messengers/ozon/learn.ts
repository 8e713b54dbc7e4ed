import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { callOzon } from './api.ts';
import type { Settings } from './settings.ts';

/** Checks the keys, and their access to chats. */
export async function learn(settings: Settings, client: Client): Promise<Partial<Settings>> {
  const answer = await callOzon(client, settings, { path: '/v3/chat/list', body: { limit: 1 } });
  // Nothing was found, but the keys were accepted.
  if (answer.ok || answer.code === 404) return {};
  throw new ForPeople(`Ozon refused: ${answer.detail}`);
}
