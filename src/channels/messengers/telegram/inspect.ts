import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Account, Check, Client, Standing } from '../../contract/adapter.ts';
import { refusalOf } from '../../contract/failure.ts';
import { words } from '../../contract/guide.ts';
import { callBot } from './bot-api.ts';
import { errorOf } from './refusals.ts';
import { isPolled, type Settings } from './settings.ts';

const Bot = Type.Object({ first_name: Type.String(), username: Type.String() });

export const check: Check<Settings> = {
  needs: ['bot_token'],
  async ask(settings, client): Promise<Account> {
    const bot = await asked(settings, client, 'getMe');
    if (!Value.Check(Bot, bot)) return { facts: [] };
    const { first_name, username } = bot;
    return {
      facts: [{ label: words('Bot', 'Бот'), value: `${first_name} (@${username})` }],
      link: `https://t.me/${username}`,
    };
  },
};

const Webhook = Type.Object({
  url: Type.String(),
  last_error_date: Type.Optional(Type.Integer()),
  last_error_message: Type.Optional(Type.String()),
});

const recentMs = 24 * 3_600_000;

/** Telegram keeps the last failed call for ever. Only a recent one matters. */
export async function standing(
  settings: Settings,
  address: string,
  client: Client,
  now: Date,
): Promise<Standing> {
  const webhook = await asked(settings, client, 'getWebhookInfo');
  if (!Value.Check(Webhook, webhook)) return { isRegistered: null };
  const { url, last_error_date = 0, last_error_message } = webhook;
  const isRecent = now.getTime() - last_error_date * 1000 < recentMs;
  return {
    isRegistered: url === (isPolled(settings) ? '' : address),
    ...(isRecent && last_error_message && { trouble: last_error_message }),
  };
}

async function asked(settings: Settings, client: Client, method: string): Promise<unknown> {
  const answer = await callBot(settings, client, { method, parameters: {} });
  if (answer.ok) return answer.result;
  throw refusalOf(`Telegram refused: ${answer.description}.`, errorOf(answer));
}
