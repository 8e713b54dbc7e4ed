import Type, { type Static } from 'typebox';
import { graphApp, graphSecret } from '../../shared/graph.ts';
import type { GraphAccount } from '../../shared/graph-messages/account.ts';

const usualRoot = 'https://graph.facebook.com';

export const settings = Type.Object({
  page_access_token: graphSecret('A token of the page that does not lapse.'),
  ...graphApp(usualRoot),
  /** An app may serve several pages. */
  page_id: Type.Optional(Type.String({ learnt: true })),
});

export type Settings = Static<typeof settings>;

export const accountOf = ({ page_access_token, ...others }: Settings): GraphAccount => ({
  settings: { access_token: page_access_token, ...others },
  usualRoot,
});
