import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { ReactionType } from './present.ts';
import { findPressed, findUnanswered, type Touched } from './reactions-store.ts';
import type { ChatRow } from './store.ts';

/** The reaction of a client's message to earlier messages of the stream and of mailings. */
export type Reaction = { type: Exclude<ReactionType, 'READ'>; messages: Touched[] };

/** A client's message within this time is a reply. Source: docs/contract.md, section 5. */
const replyWithinMs = 72 * 3_600_000;

/**
 * The messages of the stream and of mailings that a client's message reacts to. A pressed button reacts to the
 * message that has it. Any other message reacts to all of the last 72 hours. Some may have had this reaction before.
 */
export async function findReaction(
  sql: Sql,
  chat: ChatRow,
  { type, text, payload }: Extract<InboundEvent, { kind: 'message' }>['message'],
  now: Date,
): Promise<Reaction> {
  if (type !== 'button') {
    const since = new Date(now.getTime() - replyWithinMs);
    return { type: 'REPLY', messages: await findUnanswered(sql, chat, since) };
  }
  const button = payload ?? text;
  return { type: 'CLICK', messages: button ? await findPressed(sql, chat, button) : [] };
}
