import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { callVk } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Communities = Type.Object({
  groups: Type.Array(Type.Object({ name: Type.String(), screen_name: Type.Optional(Type.String()) })),
});

export const check: Check<Settings> = {
  needs: ['access_token', 'group_id'],
  async ask(settings, client) {
    const found = await asked(settings, client, 'groups.getById');
    const group = Value.Check(Communities, found) ? found.groups[0] : undefined;
    return {
      facts: group ? [{ label: words('Community', 'Сообщество'), value: group.name }] : [],
      link: `https://vk.me/${group?.screen_name ?? `club${settings.group_id}`}`,
    };
  },
};

const Servers = Type.Object({
  items: Type.Array(Type.Object({ url: Type.String(), status: Type.Optional(Type.String()) })),
});

export async function standing(settings: Settings, address: string, client: Client): Promise<Standing> {
  const found = await asked(settings, client, 'groups.getCallbackServers');
  if (!Value.Check(Servers, found)) return { isRegistered: null };
  const own = found.items.find(({ url }) => url === address);
  return { isRegistered: own !== undefined && own.status !== 'failed' && own.status !== 'unconfigured' };
}

async function asked(settings: Settings, client: Client, method: string): Promise<unknown> {
  const parameters = { group_id: settings.group_id };
  return given(await callVk(client, settings, { method, parameters }), 'VK', errorOf);
}
