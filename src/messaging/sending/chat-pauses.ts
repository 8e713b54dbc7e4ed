import type { Context } from '../../platform/context.ts';
import type { ClaimedMessage } from './claim.ts';
import { lastSent } from './learn-store.ts';

/** The remaining wait of each of these messages, in milliseconds, by its id. */
export type ChatPauses = (
  pauseMs: number | null,
  messages: readonly ClaimedMessage[],
) => Promise<ReadonlyMap<string, number>>;

const mostKept = 10_000;

/**
 * Makes the function that keeps the pause between two messages of one chat. The first message is due when the pause
 * after the last one is over. Each further one is due a pause later. Running calls of other processes are unknown: a
 * rate limit from the provider then pauses the chat.
 */
export function chatPacing({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): ChatPauses {
  /** The last call of this process for each chat. The database may not have recorded it yet. */
  const called = new Map<string, number>();

  async function freeMoments(
    pauseMs: number,
    messages: readonly ClaimedMessage[],
    now: number,
  ): Promise<Map<string, number>> {
    const chats = [...new Set(messages.map(({ chat_id }) => chat_id))];
    const since = new Date(now - pauseMs);
    const sent = await lastSent(sql, messages[0]?.project_id ?? '', chats, since);
    const lastOf = new Map(sent.map(({ chat_id, sent_at }) => [chat_id, sent_at.getTime()]));
    return new Map(
      chats.map((chat) => [chat, Math.max(lastOf.get(chat) ?? 0, called.get(chat) ?? 0) + pauseMs]),
    );
  }

  return async (pauseMs, messages) => {
    const waits = new Map<string, number>();
    if (pauseMs === null || messages.length === 0) return waits;
    const now = clock.now().getTime();
    try {
      const freeAt = await freeMoments(pauseMs, messages, now);
      for (const { id, chat_id } of messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const at = Math.max(now, freeAt.get(chat_id) ?? now);
        waits.set(id, at - now);
        if (at === now) called.set(chat_id, now);
        freeAt.set(chat_id, at + pauseMs);
      }
    } catch (error) {
      // The messages are claimed already: the provider's rate limit applies instead.
      log.warn({ err: error }, 'sending: the pauses of chats could not be read');
    }
    if (called.size > mostKept) {
      for (const [chat, at] of called) if (at + pauseMs < now) called.delete(chat);
    }
    return waits;
  };
}
