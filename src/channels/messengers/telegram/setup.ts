import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { ForPeople } from '../../contract/failure.ts';
import { type BotCall, callBot } from './bot-api.ts';
import { isPolled, type Settings, webhookSecret } from './settings.ts';
import { allowedUpdates } from './update.ts';

/** Only checks the token. No other data of a bot are needed. */
export async function learn(settings: Settings, http: Outbound): Promise<object> {
  const answer = await callBot(settings, http, { method: 'getMe', parameters: {} });
  if (!answer.ok) throw new ForPeople(`Telegram refused: ${answer.description}.`);
  return {};
}

/** Gives Telegram the address for updates. Waiting updates are kept in either mode. */
export async function setup(settings: Settings, webhookUrl: string, http: Outbound): Promise<object> {
  const answer = await callBot(settings, http, registration(settings, webhookUrl));
  if (answer.ok) return {};
  const advice = /https/i.test(answer.description)
    ? ' Without a public https address, use mode=polling.'
    : '';
  throw new ForPeople(`Telegram refused: ${answer.description}.${advice}`);
}

function registration(settings: Settings, webhookUrl: string): BotCall {
  if (isPolled(settings)) return { method: 'deleteWebhook', parameters: {} };
  return {
    method: 'setWebhook',
    parameters: { url: webhookUrl, secret_token: webhookSecret(settings), allowed_updates: allowedUpdates },
  };
}
