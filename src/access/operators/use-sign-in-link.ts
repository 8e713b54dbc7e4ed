import Type from 'typebox';
import { openAction } from '../../platform/http/action.ts';
import { seeOther, sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { isOwnForm, openForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { findSignInUser, spendSignInLink } from '../auth/sign-in-store.ts';
import { askCard, deadCard } from './cards.ts';
import { startSession } from './session.ts';

const params = Type.Object({ token: Type.String() });

/**
 * GET /sign-in/{token}/: shows the link's user. Opening it does not spend it, because mail programs and chats open
 * links by themselves.
 */
export const showSignInLink = openAction({
  params,
  handle: async ({ context: { sql, clock, config }, params: { token }, request, reply }) => {
    const { publicUrl } = config;
    const user = await findSignInUser(sql, 'sign_in', sha256(token), clock.now());
    if (!user) return sendCard(reply, deadCard({ base: basePath(publicUrl) }), { publicUrl, status: 404 });
    const texts = {
      email: user.email,
      projects: user.projects.join(', '),
      token: openForm(request, reply),
    };
    return sendCard(reply, askCard(texts), { publicUrl });
  },
});

/** POST /sign-in/{token}/: spends the link, and signs in. */
export const followSignInLink = openAction({
  params,
  body: Type.Object({ token: Type.Optional(Type.String()) }),
  form: true,
  handle: async ({ context, params: { token }, body, request, reply }) => {
    const { sql, config } = context;
    const { publicUrl } = config;
    const base = basePath(publicUrl);
    if (!isOwnForm(request, config, body.token ?? '')) {
      return sendLapsedForm(reply, config, `${base}/sign-in/${encodeURIComponent(token)}/`);
    }
    const isGood = await startSession(context, request, reply, (session) =>
      spendSignInLink(sql, sha256(token), session),
    );
    if (!isGood) return sendCard(reply, deadCard({ base }), { publicUrl, status: 404 });
    return seeOther(reply, `${base}/console/`);
  },
});
