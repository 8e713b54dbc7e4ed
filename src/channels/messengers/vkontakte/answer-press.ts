import type { Client } from '../../contract/adapter.ts';
import type { Press } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { callVk } from './api.ts';
import type { Settings } from './settings.ts';

const method = 'messages.sendMessageEventAnswer';

/** Without `event_data` VK shows the client nothing. */
export async function answerPress(press: Press, settings: Settings, client: Client): Promise<void> {
  given(await callVk(client, settings, { method, parameters: press }), 'VK');
}
