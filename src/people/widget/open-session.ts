import { actionFor } from '../../platform/http/action.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { invalid } from '../../platform/problem.ts';
import { admitOpening } from './limits.ts';
import { loadForPage } from './load.ts';
import { addressOfStranger, addressOfUser, keyVersion, provesIdentity } from './rules.ts';
import { NewSession, SessionToken, smallBody, WidgetParams } from './schema.ts';
import { type Page, sealSession } from './visitor.ts';

/**
 * A session for a browser. A user with a signed identity has one chat in every browser. An anonymous visitor gets a
 * new chat. Nothing is stored before they write.
 */
export const openSession = actionFor<Page>()({
  params: WidgetParams,
  body: NewSession,
  bodyLimit: smallBody,
  response: SessionToken,
  status: 201,
  load: loadForPage,
  reserve: ({ context, loaded: { projectId, id }, request }) =>
    admitOpening(context, {
      projectId,
      channelId: id,
      address: strangerAddress(request, context.config.trustedProxies),
    }),
  handle: async ({ context, body: { user }, loaded: { id, settings } }) => {
    if (!user) {
      return {
        session: sealSession(context, {
          channelId: id,
          address: addressOfStranger(context.newId()),
          name: null,
          keyVersion: null,
        }),
      };
    }
    const secret = settings.identity_secret;
    if (secret === undefined || !provesIdentity(secret, user, context.clock.now())) {
      throw invalid('user', 'The hash does not prove this identity.');
    }
    return {
      session: sealSession(context, {
        channelId: id,
        address: addressOfUser(user.id),
        name: user.name ?? null,
        keyVersion: keyVersion(secret),
      }),
    };
  },
});
