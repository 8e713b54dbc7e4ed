import type { Client } from '../../contract/adapter.ts';
import { given } from '../../shared/answer.ts';
import { callViber } from './api.ts';
import type { Settings } from './settings.ts';

/** Viber sends message events without a subscription. */
const event_types = ['delivered', 'seen', 'failed', 'subscribed', 'unsubscribed', 'conversation_started'];

/** Checks the token. */
export async function learn(settings: Settings, client: Client): Promise<object> {
  given(await callViber(client, settings, { method: 'get_account_info', body: {} }), 'Viber');
  return {};
}

/** Viber calls the address before it answers. */
export async function setup(settings: Settings, url: string, client: Client): Promise<object> {
  const body = { url, event_types, send_name: true, send_photo: false };
  given(await callViber(client, settings, { method: 'set_webhook', body }), 'Viber');
  return {};
}
