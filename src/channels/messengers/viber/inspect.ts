import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { refusalOf } from '../../contract/failure.ts';
import { words } from '../../contract/guide.ts';
import { callViber } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Bot = Type.Object({
  name: Type.Optional(Type.String()),
  uri: Type.Optional(Type.String()),
  webhook: Type.Optional(Type.String()),
});

export const check: Check<Settings> = {
  needs: ['auth_token'],
  async ask(settings, client) {
    const { name, uri } = await accountOf(settings, client);
    return {
      facts: name ? [{ label: words('Bot', 'Бот'), value: name }] : [],
      ...(uri && { link: `viber://pa?chatURI=${encodeURIComponent(uri)}` }),
    };
  },
};

export async function standing(settings: Settings, address: string, client: Client): Promise<Standing> {
  const { webhook } = await accountOf(settings, client);
  return { isRegistered: webhook === undefined ? null : webhook === address };
}

async function accountOf(settings: Settings, client: Client): Promise<Type.Static<typeof Bot>> {
  const answer = await callViber(client, settings, { method: 'get_account_info', body: {} });
  if (answer.ok) return Value.Check(Bot, answer.body) ? answer.body : {};
  throw refusalOf(`Viber refused: ${answer.detail}`, errorOf(answer));
}
