import { onAbort } from '../../../platform/on-abort.ts';

/** Works when it is this one's turn. Rejects if the signal comes first. */
export type FairTurns = <Result>(
  who: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

type Turn = { who: string; begin: () => void };

/** A large mail takes a second or two. */
const quickMs = 5_000;

/** Slow work is held against its owner for so many times as long. Nobody takes the last place by some quick work. */
const remembered = 20;

/** Of so many the last works are remembered. */
const mostKnown = 10_000;

/** How long the last work of each took. */
type Slowness = { of(who: string): number; note(who: string, ms: number): void };

function createSlowness(now: () => number): Slowness {
  const known = new Map<string, { ms: number; until: number }>();
  return {
    of: (who) => known.get(who)?.ms ?? quickMs,
    note(who, ms) {
      const before = known.get(who);
      const isHeldAgainst = before !== undefined && before.ms > ms && before.until > now();
      known.delete(who);
      known.set(who, isHeldAgainst ? before : { ms, until: now() + remembered * ms });
      const [oldest] = known.keys();
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
  };
}

/**
 * At most so many work at the same time. The last place is only for those who are known to be quick, so that they wait
 * for nobody else. Of those who wait, the quick begin first, then new ones, then the slow.
 */
export function createFairTurns(most: number, now = () => performance.now()): FairTurns {
  const slowness = createSlowness(now);
  const waiting = new Set<Turn>();
  const working = { quick: 0, others: 0 };
  const kindOf = ({ who }: Turn): 'quick' | 'others' => (slowness.of(who) < quickMs ? 'quick' : 'others');
  const hasPlace = (turn: Turn): boolean =>
    working.quick + working.others < most &&
    (kindOf(turn) === 'quick' || working.others < Math.max(most - 1, 1));

  const beginNext = (): void => {
    const [next] = [...waiting]
      .filter(hasPlace)
      .toSorted((one, other) => slowness.of(one.who) - slowness.of(other.who));
    next?.begin();
  };

  /** Returns whose place it is. */
  const turnOf = (who: string, signal: AbortSignal): Promise<'quick' | 'others'> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(turn);
        release();
      };
      const turn: Turn = {
        who,
        begin: () => {
          leave();
          const kind = kindOf(turn);
          working[kind] += 1;
          resolve(kind);
        },
      };
      const release = onAbort(signal, () => {
        leave();
        reject(new Error('Nobody waits for this work any more.'));
      });
      waiting.add(turn);
      beginNext();
    });

  return async (who, signal, work) => {
    signal.throwIfAborted();
    const kind = await turnOf(who, signal);
    const began = now();
    try {
      return await work();
    } finally {
      slowness.note(who, now() - began);
      working[kind] -= 1;
      beginNext();
    }
  };
}
