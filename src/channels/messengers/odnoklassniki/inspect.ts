import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { words } from '../../contract/guide.ts';
import { given } from '../../shared/answer.ts';
import { callOk } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Group = Type.Object({ group_id: Type.String(), name: Type.Optional(Type.String()) });

export const check: Check<Settings> = {
  needs: ['access_token'],
  async ask(settings, client) {
    const group = await asked(settings, client, 'info');
    if (!Value.Check(Group, group)) throw new ForPeople('This is not the key of a group.');
    const id = group.group_id.replace(/^group:/, '');
    return {
      facts: [{ label: words('Group', 'Группа'), value: group.name ?? id }],
      link: `https://ok.ru/group/${id}/messages`,
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
  return given(await callOk(client, settings, { method: 'GET', path }), 'Odnoklassniki', errorOf);
}
