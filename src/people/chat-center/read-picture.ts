import Type from 'typebox';
import type { Member } from '../../access/auth/member.ts';
import { pictureTypeOf } from '../../messaging/attachments/media-type.ts';
import { harmless } from '../../messaging/attachments/serve.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { keepTo } from '../../platform/limits/rates.ts';
import { OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import { NotFound } from '../../platform/problem.ts';

const timeoutMs = 10_000;
const mostBytes = 5 * 1024 * 1024;
/** A list of a hundred chats has as many pictures. */
const mostInMinute = 600;

/**
 * GET /chat-center/api/pictures/: an external picture, fetched by our server. A client who puts a picture's address
 * into a chat learns neither the operators' addresses nor the time they look. Nor does the picture reach internal
 * hosts through their browsers.
 */
export const readPicture = actionFor<Member>()({
  query: Type.Object({ url: Type.String({ format: 'uri', maxLength: 8192 }) }),
  handle: async ({ context, principal: { operatorId, projectId }, query: { url }, reply }) => {
    await keepTo(context, [{ subject: `pictures of ${operatorId}`, most: mostInMinute, inMs: 60_000 }]);
    const bytes = await fetched(context, projectId, url);
    const type = bytes && (await pictureTypeOf(bytes));
    if (!bytes || !type) throw new NotFound();
    return reply
      .headers({ ...harmless, 'cache-control': 'private, max-age=86400', 'content-type': type })
      .send(bytes);
  },
});

async function fetched(
  { outbound }: Pick<Context, 'outbound'>,
  owner: string,
  url: string,
): Promise<Buffer | null> {
  try {
    const headers = { accept: 'image/*' };
    const answer = await outbound.request({
      url,
      method: 'GET',
      headers,
      timeoutMs,
      maxResponseBytes: mostBytes,
      reader: { owner },
    });
    return answer.status === 200 && !answer.truncated ? answer.body : null;
  } catch (error) {
    if (error instanceof OutboundRefused || error instanceof OutboundFailed) return null;
    throw error;
  }
}
