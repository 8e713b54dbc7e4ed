import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { countLists } from './chats-store.ts';
import type { ChatCounts } from './schema.ts';

/** An operator who receives counts, and the last counts sent. */
export type Counted = {
  operatorId: string;
  profileId: string | null;
  counts: string;
  write(text: string): void;
};

export type Counting = {
  /** Sends counts to everyone soon. */
  soon(): void;
  end(): void;
};

const fastestCountMs = 1_000;

/** Sends counts after every request, but no more often than people need. */
export function createCounting(tell: () => Promise<void>, onProblem: (error: unknown) => void): Counting {
  let countsAt = Number.NEGATIVE_INFINITY;
  let counting: NodeJS.Timeout | undefined;

  function count(): void {
    countsAt = performance.now();
    counting = undefined;
    tell().catch(onProblem);
  }

  return {
    soon() {
      counting ??= setTimeout(count, Math.max(0, fastestCountMs - (performance.now() - countsAt)));
    },
    end: () => clearTimeout(counting),
  };
}

/** Sends changed counts to the operators of a project. One statement serves all who see all clients. */
export async function tellCounts(sql: Sql, projectId: string, everybody: readonly Counted[]): Promise<void> {
  for (const [profileId, some] of Map.groupBy(everybody, (one) => one.profileId)) {
    const operatorIds = [...new Set(some.map(({ operatorId }) => operatorId))];
    const rows = await countLists(sql, { projectId, profileId }, operatorIds);
    const countsOf = new Map(rows.map(({ operator_id, ...counts }) => [operator_id, counts]));
    for (const one of some) tell(one, countsOf.get(one.operatorId));
  }
}

function tell(one: Counted, counts: ChatCounts | undefined): void {
  const text = counts ? eventText('counts', counts) : '';
  if (text === one.counts) return;
  one.counts = text;
  one.write(text);
}
