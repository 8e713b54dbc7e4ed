import Type, { type Static } from 'typebox';
import { graphApp, graphSecret } from '../../shared/graph.ts';
import type { GraphAccount } from '../../shared/graph-messages/account.ts';

const usualRoot = 'https://graph.instagram.com';

export const settings = Type.Object({
  access_token: graphSecret(
    'A token of the professional account. It lapses after 60 days unless it is renewed.',
  ),
  ...graphApp(usualRoot),
  /** An app may serve several accounts. */
  account_id: Type.Optional(Type.String({ learnt: true })),
});

export type Settings = Static<typeof settings>;

export const accountOf = (own: Settings): GraphAccount => ({ settings: own, usualRoot });
