import type { Client } from '../../contract/adapter.ts';
import { callOzon } from './api.ts';
import type { Settings } from './settings.ts';

/** Proves the keys, and their right to chats. */
export async function learn(settings: Settings, client: Client): Promise<Partial<Settings>> {
  const answer = await callOzon(client, settings, { path: '/v3/chat/list', body: { limit: 1 } });
  // Nothing was found, for which the keys were good enough.
  if (answer.ok || (answer.isOwn && answer.status === 404)) return {};
  throw new Error(`Ozon refused: ${answer.detail}`);
}
