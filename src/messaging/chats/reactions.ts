import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { ReactionType } from './present.ts';
import type { Touched } from './reactions-store.ts';
import type { Receiving } from './receiving.ts';
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
  { unanswered, pressed }: Pick<Receiving, 'unanswered' | 'pressed'>,
  chat: ChatRow,
  { type, text, payload, pressedIn }: Extract<InboundEvent, { kind: 'message' }>['message'],
  now: Date,
): Promise<Reaction> {
  if (type !== 'button') {
    const since = new Date(now.getTime() - replyWithinMs);
    return { type: 'REPLY', messages: await unanswered({ chat, since }) };
  }
  const button = payload ?? text;
  const messages = button ? await pressed({ chat, button, pressedIn: pressedIn ?? null }) : [];
  return { type: 'CLICK', messages };
}
