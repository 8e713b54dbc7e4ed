import type { Client } from '../../contract/adapter.ts';
import { callViber, type ViberAnswer } from './api.ts';
import type { Settings } from './settings.ts';

/** Viber sends message events without a subscription. */
const event_types = ['delivered', 'seen', 'failed', 'subscribed', 'unsubscribed', 'conversation_started'];

/** Checks the token. */
export async function learn(settings: Settings, client: Client): Promise<object> {
  expectOk(await callViber(client, settings, { method: 'get_account_info', body: {} }));
  return {};
}

/** Viber calls the address before it answers. */
export async function setup(settings: Settings, url: string, client: Client): Promise<object> {
  const body = { url, event_types, send_name: true, send_photo: false };
  expectOk(await callViber(client, settings, { method: 'set_webhook', body }));
  return {};
}

function expectOk(answer: ViberAnswer): void {
  if (!answer.ok) throw new Error(`Viber refused: ${answer.detail}`);
}
