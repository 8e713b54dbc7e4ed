import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { findSession, isLinkOpen, openLink, type Session } from '../../access/iframe/store.ts';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { sendApp } from '../../platform/http/app.ts';
import { sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { isUuid } from '../../platform/id.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { browserCookie, browserToken } from './browser.ts';
import { closedCard } from './pages.ts';
import { originsOf, sessionLivesMs } from './rules.ts';

/**
 * Opens a link. The first browser gets a cookie and its session, here and under an address that lasts as long as the
 * session. HEAD does not open the link. Source: docs/contract.md, section 6.
 */
export const openIframeLink = openAction({
  params: Type.Object({ token: Type.String() }),
  handle: async ({ context, params: { token }, request, reply }) => {
    const { sql, clock } = context;
    const now = clock.now();
    const known = browserToken(request.headers);
    const tokenHash = sha256(token);
    if (request.method === 'HEAD') {
      const isOpen = await isLinkOpen(sql, tokenHash, known === null ? null : sha256(known), now);
      return isOpen ? reply.headers(noReferrer).send() : sendClosed(context, reply);
    }
    const browser = known ?? randomToken();
    const until = new Date(now.getTime() + sessionLivesMs);
    const id = await openLink(sql, tokenHash, sha256(browser), now, until);
    const session = id && (await findSession(sql, id, sha256(browser), now));
    if (!session) return sendClosed(context, reply);
    const address = `${basePath(context.config.publicUrl)}/chat-center/${id}/`;
    reply.headers({ 'set-cookie': browserCookie(browser), 'content-location': address });
    return sendSession(context, reply, id, session);
  },
});

/** The page behind a link: the chat center, in the page of the application. */
export const showChatCenter = openAction({
  params: Type.Object({ session: Type.String() }),
  handle: async ({ context, params: { session: id }, request, reply }) => {
    const { sql, clock } = context;
    const browser = browserToken(request.headers);
    const session = browser && isUuid(id) && (await findSession(sql, id, sha256(browser), clock.now()));
    return session ? sendSession(context, reply, id, session) : sendClosed(context, reply);
  },
});

const sendSession = ({ config }: Context, reply: FastifyReply, id: string, session: Session): FastifyReply =>
  sendApp(reply, 'chat-center', {
    publicUrl: config.publicUrl,
    frame: id,
    framedBy: ["'self'", ...originsOf(session.redirect_uris)],
  });

/** The address of a page is a secret, or nearly one. */
const noReferrer = { 'referrer-policy': 'no-referrer' };

/** Any page may frame it: it has no content, and the embedding page should show why the link does not open. */
const sendClosed = ({ config }: Context, reply: FastifyReply): FastifyReply =>
  sendCard(reply, closedCard, { publicUrl: config.publicUrl, status: 403, framedBy: ['*'] });
