import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
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
  const account = given(answer, 'Viber', errorOf);
  return Value.Check(Bot, account) ? account : {};
}
