import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Check, Client, Standing } from '../../contract/adapter.ts';
import { words } from '../../contract/guide.ts';
import { fieldsOf } from '../../shared/graph-messages/account.ts';
import { subscriptionOf } from '../../shared/graph-messages/inspect.ts';
import { errorOf } from '../../shared/graph-messages/refusals.ts';
import { accountOf, type Settings } from './settings.ts';

const Page = Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) });

export const check: Check<Settings> = {
  needs: ['page_access_token'],
  async ask(settings, client) {
    const page = await fieldsOf(accountOf(settings), 'id,name', client);
    if (!Value.Check(Page, page)) return { facts: [] };
    const { id, name = id } = page;
    return { facts: [{ label: words('Page', 'Страница'), value: name }], link: `https://m.me/${id}` };
  },
};

export const standing = (settings: Settings, _address: string, client: Client): Promise<Standing> =>
  subscriptionOf(accountOf(settings), 'me', client, errorOf);
