import type { Client } from '../../contract/adapter.ts';
import type { Press } from '../../contract/inbound.ts';
import { given } from '../../shared/answer.ts';
import { callMax } from './api.ts';
import type { Settings } from './settings.ts';

/** Its users report that Max refuses an empty answer. Max may show this for a moment, so it is in no language. */
const body = { notification: '✓' };

export async function answerPress(press: Press, settings: Settings, client: Client): Promise<void> {
  given(await callMax(client, settings, { method: 'POST', path: 'answers', query: press, body }), 'Max');
}
