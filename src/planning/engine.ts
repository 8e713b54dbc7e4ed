import type { Context } from '../context.ts';
import { type Pump, startPump } from '../lib/pump.ts';
import { isDatabaseUnavailable } from '../storage/database.ts';
import { noteFailure } from './failure.ts';
import { leaseEnd, leaseMs } from './lease.ts';
import { claimMailings, type Held, nextDue } from './mailing-store.ts';
import { rest } from './rest.ts';
import { takeStep } from './step.ts';

/** Mailings that one process works on at once. */
const concurrency = 4;
/** For so long a mailing keeps its place; then it is the next one's turn. */
const sliceMs = 2_000;

const lane = 'mailings';

/** Brings due mailings forwards: from their files to messages, and to their end. */
export function startPlanning(context: Context): Pump {
  const stopping = new AbortController();
  const pump = startPump<Held, void>({
    name: 'planning',
    clock: context.clock,
    log: context.log,
    async due() {
      const dueAt = await nextDue(context.sql);
      return dueAt ? [{ key: lane, dueAt }] : [];
    },
    claim(_lane, free) {
      const now = context.clock.now();
      return claimMailings(context.sql, { free, lease: context.newId(), now, leaseUntil: leaseEnd(now) });
    },
    perform: (held) => workOn(context, held, stopping.signal),
    record: async () => {},
    capacity: () => concurrency,
    leaseMs,
    isUnavailable: isDatabaseUnavailable,
  });
  return {
    wake: pump.wake,
    stop() {
      stopping.abort();
      return pump.stop();
    },
  };
}

/** Takes steps until the mailing has nothing to do, is somebody else's, or has had its turn. */
export async function workOn(context: Context, claimed: Held, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + sliceMs;
  let held = claimed;
  try {
    while (!stopping.aborted && performance.now() < until) {
      const next = await takeStep(context, held, stopping);
      if (!next) return;
      held = next;
    }
    await rest(context, held, context.clock.now());
  } catch (error) {
    await noteFailure(context, held, error, stopping);
  }
}
