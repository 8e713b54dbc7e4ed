import Type, { type Static } from 'typebox';
import type { Client } from '../../contract/adapter.ts';
import { graphApp, graphSecret } from '../../shared/graph.ts';
import type { GraphAccount } from '../../shared/graph-messages/account.ts';

const usualRoot = 'https://graph.instagram.com';

export const settings = Type.Object({
  access_token: graphSecret(
    'A token of the professional account. It lives for 60 days, and Patchbay renews it in time.',
  ),
  ...graphApp(usualRoot),
  /** An app may serve several accounts. */
  account_id: Type.Optional(Type.String({ learnt: true })),
});

export type Settings = Static<typeof settings>;

export const accountOf = (own: Settings): GraphAccount => ({ settings: own, usualRoot });

/** With the renewed token. */
export const currentAccountOf = async (own: Settings, client: Client): Promise<GraphAccount> =>
  accountOf({ ...own, access_token: await client.token() });
