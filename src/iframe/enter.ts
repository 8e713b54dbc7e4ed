import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Context } from '../context.ts';
import { openAction } from '../http/action.ts';
import { basePath, sendPage } from '../http/page.ts';
import { isUuid } from '../lib/id.ts';
import { randomToken, sha256 } from '../lib/secret.ts';
import { findProfile } from '../profiles/store.ts';
import { browserCookie, browserToken } from './browser.ts';
import { type Client, closedPage, sessionPage } from './pages.ts';
import { originsOf, sessionLivesMs } from './rules.ts';
import { chatsOf, findSession, isLinkOpen, openLink, type Session } from './store.ts';

/**
 * Opens a link: the first browser is given a cookie and sees its session, here and under an address that lasts as long as
 * the session. HEAD looks without opening. Source: open points, section 6, "iframe".
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
    return sendSession(context, reply, session);
  },
});

/** What is behind a link. Until the chat center is there: a page that shows who is signed in. */
export const showChatCenter = openAction({
  params: Type.Object({ session: Type.String() }),
  handle: async ({ context, params: { session: id }, request, reply }) => {
    const { sql, clock } = context;
    const browser = browserToken(request.headers);
    const session = browser && isUuid(id) && (await findSession(sql, id, sha256(browser), clock.now()));
    return session ? sendSession(context, reply, session) : sendClosed(context, reply);
  },
});

async function sendSession(context: Context, reply: FastifyReply, session: Session): Promise<FastifyReply> {
  const { project_id, profile_id, redirect_uris } = session;
  const client = profile_id ? await clientOf(context, project_id, profile_id) : null;
  const page = sessionPage(basePath(context.config.publicUrl), session, client);
  return sendPage(reply.headers(noReferrer), page, {
    framedBy: ["'self'", ...originsOf(redirect_uris)],
  });
}

async function clientOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  profileId: string,
): Promise<Client | null> {
  const [profile, chats] = await Promise.all([
    findProfile(sql, projectId, { id: profileId }),
    chatsOf(sql, projectId, profileId),
  ]);
  return profile ? { profile, chats } : null;
}

/** The address of a page is a secret, or next to one. */
const noReferrer = { 'referrer-policy': 'no-referrer' };

/** Any page may frame it: there is nothing on it, and whoever framed the link should see why it does not open. */
const sendClosed = ({ config }: Context, reply: FastifyReply): FastifyReply =>
  sendPage(reply.headers(noReferrer), closedPage(basePath(config.publicUrl)), {
    status: 403,
    framedBy: ['*'],
  });
