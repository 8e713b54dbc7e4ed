import type { Member } from '../../access/auth/member.ts';
import { findOperator } from '../../access/auth/operators-store.ts';
import { limitExceeded } from '../../channels/registry.ts';
import { takeAttachment } from '../../messaging/attachments/take.ts';
import { findSeen } from '../../messaging/chats/external-ids-store.ts';
import { replyToClient } from '../../messaging/chats/reply.ts';
import { giveSession } from '../../messaging/chats/sessions.ts';
import type { ChatRow } from '../../messaging/chats/store.ts';
import { fits } from '../../messaging/connector/rules.ts';
import type { NewMessage as QueuedMessage } from '../../messaging/messages/queue-store.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { loadChat } from './load.ts';
import { madeEntry } from './made-entry.ts';
import { NewMessage, TimelineEntry } from './schema.ts';
import { uploaderOf } from './upload.ts';

/**
 * POST /chat-center/api/chats/{uuid}/messages/: an operator answers. A session opens if none is open. The operator
 * gets an unassigned session. A repeated `id` is the same message, under concurrent calls too.
 */
export const answerClient = actionFor<Member>()({
  params: UuidParams,
  body: NewMessage,
  response: TimelineEntry,
  status: 201,
  load: loadChat,
  handle: async ({ context, principal, body, loaded: chat }) => {
    const { projectId, operatorId } = principal;
    const key = { projectId, ownerId: operatorId, externalId: body.id };
    const [seen] = await findSeen(context.sql, [key]);
    if (seen) return madeEntry(context, chat, seen.messageUuid);

    const content = await contentOf(context, principal, chat, body);
    const operator = await operatorOf(context, principal);
    const giving = { to: operator, author: operator, fromAnyone: false };
    const session = await giveSession(context, chat, giving, context.clock.now());
    const id = context.newId();
    const isNew = await replyToClient(context, chat, session, {
      id,
      content,
      source: 'operator',
      type: body.type,
      operator,
      applicationId: null,
      seen: key,
    });
    const [twin] = isNew ? [] : await findSeen(context.sql, [key]);
    return madeEntry(context, chat, twin?.messageUuid ?? id);
  },
});

/** Throws `Invalid` for content that the messenger cannot carry, and for a file that the operator has not uploaded. */
async function contentOf(
  context: Context,
  member: Member,
  { platform }: ChatRow,
  { type, text, attachment: uuid }: NewMessage,
): Promise<QueuedMessage['content']> {
  if (!fits(type, platform)) throw invalid('type', `${platform} chats do not support ${type}.`);
  const most = limitExceeded(platform, type, text);
  if (most !== null) throw invalid('text', messages.maxLength(most));
  if (type === 'text') {
    if (!text?.trim()) throw invalid('text', messages.required);
    return { text };
  }
  if (!uuid) throw invalid('attachment', messages.required);
  const by = uploaderOf(member);
  const file = await takeAttachment(context, { projectId: member.projectId, uuid, by });
  if (!file) throw invalid('attachment', messages.missingObject(uuid));
  if (type === 'image' && !file.type.startsWith('image/')) throw invalid('type', 'The file is not an image.');
  return { url: file.url, ...(text && { text }) };
}

async function operatorOf({ sql }: Context, { projectId, operatorId, name }: Member) {
  const known = await findOperator(sql, projectId, operatorId);
  return { uuid: operatorId, name: known?.name ?? name, avatar: known?.avatar ?? null };
}
