import type { Context } from '../../platform/context.ts';
import type { ClaimedMessage } from './claim.ts';
import { type LatestMessage, latestOf } from './learn-store.ts';

/** The remaining wait of each of these messages, in milliseconds, by its id. */
export type ChatPauses = (
  pauseMs: number | null,
  messages: readonly Waiting[],
) => Promise<ReadonlyMap<string, number>>;

type Waiting = Pick<ClaimedMessage, 'id' | 'project_id' | 'chat_id' | 'created_at' | 'launch_at'>;

type Call = { id: string; at: number };

const mostKept = 10_000;

/** A call that begins so little too early, in parts of the pause, does not wait: the channel's own pace is as exact. */
const tolerance = 0.1;

/** A message waits so many pauses for earlier ones that do not go, such as those of a lower priority. */
const patience = 60;

/**
 * Makes the function that keeps the pause between two messages of one chat, from the beginning of one call to the next.
 * Each message is due a pause after those of its chat that came before it and wait. Running calls of other processes are
 * unknown: a rate limit from the provider then pauses the chat.
 */
export function chatPacing({ sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>): ChatPauses {
  /** The last call of this process for each chat. The database may not have recorded it yet. */
  const called = new Map<string, Call>();

  function waitOf(message: Waiting, latest: readonly LatestMessage[], pauseMs: number, now: number): number {
    const last = called.get(message.chat_id);
    const others = latest.filter(({ id }) => id !== last?.id);
    // Our own call began earlier than its result.
    const sent = Math.max(last?.at ?? 0, ...others.map(({ sent_at }) => sent_at?.getTime() ?? 0));
    const freeAt = Math.max(now, sent + pauseMs);
    const before = others.filter(({ id, is_due }) => is_due && id < message.id).length;
    const firstDue = (message.launch_at ?? message.created_at).getTime();
    const latestTurn = Math.max(freeAt, firstDue + (before + patience) * pauseMs);
    return Math.min(freeAt + before * pauseMs, latestTurn) - now;
  }

  return async (pauseMs, messages) => {
    const waits = new Map<string, number>();
    if (pauseMs === null || messages.length === 0) return waits;
    const now = clock.now().getTime();
    try {
      const found = await latestOf(sql, messages[0]?.project_id ?? '', chatsOf(messages), {
        now: clock.now(),
        pauseMs,
      });
      const latest = Map.groupBy(found, ({ chat_id }) => chat_id);
      for (const message of messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const waitMs = waitOf(message, latest.get(message.chat_id) ?? [], pauseMs, now);
        const isItsTurn = waitMs <= pauseMs * tolerance;
        waits.set(message.id, isItsTurn ? 0 : waitMs);
        if (isItsTurn) called.set(message.chat_id, { id: message.id, at: now });
      }
    } catch (error) {
      // The messages are claimed already: the provider's rate limit applies instead.
      log.warn({ err: error }, 'sending: the pauses of chats could not be read');
    }
    if (called.size > mostKept) {
      for (const [chat, { at }] of called) if (at + pauseMs < now) called.delete(chat);
    }
    return waits;
  };
}

const chatsOf = (messages: readonly Waiting[]): string[] => [
  ...new Set(messages.map(({ chat_id }) => chat_id)),
];
