import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import { outboxRow } from '../events/outbox.ts';
import { loadFacts } from '../messaging/chats/facts-store.ts';
import { mailingReaction } from '../messaging/chats/mailing-events.ts';
import type { Context } from '../platform/context.ts';
import { openAction } from '../platform/http/action.ts';
import { fillLink } from '../platform/links.ts';
import { NotFound } from '../platform/problem.ts';
import { type LinkPlace, linkTokens } from './link-token.ts';
import { findLink, type LinkRow, markJumped } from './links-store.ts';
import { asksForFacts, CannotRender, valuesOf } from './render.ts';

/**
 * GET /l/{token}/: redirects to the address of a mailing's link. The recipient's first visit is counted and
 * announced. A program that fetches a preview does not count. A browser that loads pages ahead is refused, so that
 * it asks again at the person's click. Source: docs/contract.md, section 5.
 */
export function followLink({ config }: Pick<Context, 'config'>) {
  const tokens = linkTokens(config.secretKey);
  return openAction({
    params: Type.Object({ token: Type.String() }),
    status: 302,
    handle: async ({ context, params, request, reply }) => {
      const place = tokens.read(params.token);
      const link = place && (await findLink(context.sql, place));
      if (!link) throw new NotFound();
      if (isAhead(request.headers)) return reply.code(503).send();
      const address = await addressOf(context, place, link);
      const isVisit = request.method === 'GET' && !isPreview(request.headers['user-agent']);
      if (isVisit && !link.jumped) await count(context, place, link);
      return reply.code(302).header('location', address).header('referrer-policy', 'no-referrer').send();
    },
  });
}

/** Services that fetch the links of a message without a person's click. A Cubot is a telephone. */
const previewers = /(?<!cu)bot|crawler|spider|preview|facebookexternalhit|whatsapp|viber|vkshare|slurp/i;

const isPreview = (userAgent = ''): boolean => previewers.test(userAgent);

/** By the header of the standard, and by those of Chrome and older browsers. */
const isAhead = (headers: IncomingHttpHeaders): boolean =>
  aheadHeaders.some((name) => /prefetch|prerender|preview/i.test(String(headers[name])));

const aheadHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * The address with this recipient's values. Its host is fixed by the mailing: no placeholder comes before its end.
 */
async function addressOf(
  { sql }: Pick<Context, 'sql'>,
  { projectId }: LinkPlace,
  { chat_id, address, content }: LinkRow,
): Promise<string> {
  const facts = asksForFacts(address) ? await loadFacts(sql, projectId, [chat_id]) : undefined;
  try {
    return new URL(fillLink(address, valuesOf({ ...content, facts: facts?.get(chat_id) ?? null }))).href;
  } catch (error) {
    if (error instanceof CannotRender) throw new NotFound();
    throw error;
  }
}

async function count(
  { sql, clock, newId, wake }: Pick<Context, 'sql' | 'clock' | 'newId' | 'wake'>,
  place: LinkPlace,
  { chat_id, platform }: LinkRow,
): Promise<void> {
  const [id, now] = [newId(), clock.now()];
  const event = mailingReaction(id, place.projectId, { id: chat_id, platform }, 'URL');
  await markJumped(sql, place, outboxRow(event, id, now, {}), now);
  wake.wake('webhooks');
}
