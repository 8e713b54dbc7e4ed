import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { callGateway } from './gateway.ts';
import type { Settings } from './settings.ts';

const Saved = Type.Object({ saveSettings: Type.Literal(true) });

/** Receipts are sent only together with the account's own messages. */
const heard = {
  incomingWebhook: 'yes',
  outgoingWebhook: 'yes',
  outgoingMessageWebhook: 'yes',
  outgoingAPIMessageWebhook: 'yes',
};

/**
 * Gives the gateway the address for notifications, which checks the token. The instance restarts, which takes
 * minutes.
 */
export async function setup(settings: Settings, address: string, client: Client): Promise<object> {
  const body = { webhookUrl: address, webhookUrlToken: settings.webhook_token, ...heard };
  const answer = await callGateway(client, settings, { method: 'setSettings', body });
  if (!answer.ok) throw new ForPeople(`The gateway refused: ${answer.detail}`);
  if (!Value.Check(Saved, answer.body)) throw new ForPeople('The gateway did not take our address.');
  return {};
}
