import type { Context } from '../../platform/context.ts';
import { lastSent } from './learn-store.ts';

type Waiting = { id: string; project_id: string; chat_id: string };

/** The remaining wait of each of these messages, in milliseconds, by its id. */
export type ChatPauses = (
  pauseMs: number | null,
  messages: readonly Waiting[],
) => Promise<ReadonlyMap<string, number>>;

type Chat = {
  /** The last call by this process. */
  called: { id: string; at: number } | null;
  /** The messages that wait for their turns, and the last turn. */
  waiting: Set<string>;
  lastTurn: number;
};

const mostKept = 10_000;

/** A call that begins so little too early, in parts of the pause, does not wait: the channel's own pace is as exact. */
const tolerance = 0.1;

/**
 * Makes the function that keeps the pause between two messages of one chat, from the beginning of one call to the next.
 * The first message is due when the pause after the last one is over. Each further one is due a pause later, also behind
 * those that came before and wait. Running calls of other processes are unknown: a rate limit from the provider then
 * pauses the chat.
 */
export function chatPacing({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): ChatPauses {
  const chats = new Map<string, Chat>();

  /** The first moments at which the messages' chats may be called. */
  async function freeMoments(
    pauseMs: number,
    messages: readonly Waiting[],
    now: number,
  ): Promise<Map<string, number>> {
    const asked = [...new Set(messages.map(({ chat_id }) => chat_id))];
    const sent = await lastSent(sql, messages[0]?.project_id ?? '', asked, new Date(now - pauseMs));
    const last = new Map(sent.map((one) => [one.chat_id, one]));
    return new Map(
      asked.map((chat) => {
        const { id, at = 0 } = chats.get(chat)?.called ?? {};
        const other = last.get(chat);
        // Our own call began earlier than its result.
        return [
          chat,
          pauseMs + (other && other.message_id !== id ? Math.max(at, other.sent_at.getTime()) : at),
        ];
      }),
    );
  }

  /** The moment of a message's call. */
  function turnOf({ id, chat_id }: Waiting, freeAt: number, pauseMs: number, now: number): number {
    const chat = chats.get(chat_id) ?? { called: null, waiting: new Set(), lastTurn: 0 };
    chats.set(chat_id, chat);
    const behind = chat.waiting.delete(id) ? 0 : chat.lastTurn + pauseMs;
    const at = Math.max(now, freeAt, behind);
    if (at - now > pauseMs * tolerance) {
      chat.waiting.add(id);
      chat.lastTurn = Math.max(chat.lastTurn, at);
      return at;
    }
    chat.called = { id, at: now };
    return now;
  }

  function forgetOld(pauseMs: number, now: number): void {
    for (const [id, { called, lastTurn }] of chats) {
      if (Math.max(called?.at ?? 0, lastTurn) + pauseMs < now) chats.delete(id);
    }
  }

  return async (pauseMs, messages) => {
    const waits = new Map<string, number>();
    if (pauseMs === null || messages.length === 0) return waits;
    const now = clock.now().getTime();
    try {
      const freeAt = await freeMoments(pauseMs, messages, now);
      for (const message of messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const at = turnOf(message, freeAt.get(message.chat_id) ?? now, pauseMs, now);
        waits.set(message.id, at - now);
        freeAt.set(message.chat_id, at + pauseMs);
      }
    } catch (error) {
      // The messages are claimed already: the provider's rate limit applies instead.
      log.warn({ err: error }, 'sending: the pauses of chats could not be read');
    }
    if (chats.size > mostKept) forgetOld(pauseMs, now);
    return waits;
  };
}
