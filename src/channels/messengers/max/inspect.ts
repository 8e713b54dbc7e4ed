import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { callMax } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Bot = Type.Object({
  name: Type.Optional(Type.String()),
  first_name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
});

export const check: Check<Settings> = {
  needs: ['access_token'],
  async ask(settings, client) {
    const bot = await asked(settings, client, 'me');
    if (!Value.Check(Bot, bot)) return { facts: [] };
    const { username, first_name, name = first_name ?? username } = bot;
    return {
      facts: name ? [{ label: words('Bot', 'Бот'), value: name }] : [],
      ...(username && { link: `https://max.ru/${username}` }),
    };
  },
};

const Subscriptions = Type.Object({ subscriptions: Type.Array(Type.Object({ url: Type.String() })) });

export async function standing(settings: Settings, address: string, client: Client): Promise<Standing> {
  const found = await asked(settings, client, 'subscriptions');
  if (!Value.Check(Subscriptions, found)) return { isRegistered: null };
  return { isRegistered: found.subscriptions.some(({ url }) => url === address) };
}

async function asked(settings: Settings, client: Client, path: string): Promise<unknown> {
  return given(await callMax(client, settings, { method: 'GET', path }), 'Max', errorOf);
}
