import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { makeRoom } from '../../platform/database/make-room.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import {
  claimMailings,
  commonLane,
  dueLanes,
  type LeasedMailing,
  laneOf,
  renewMailings,
} from '../planner-store.ts';
import { noteFailure } from './failure.ts';
import { leaseEnd, leaseMs } from './rules.ts';
import { rest, takeStep } from './run.ts';

/** The mailings that one process works on at once. Beside them it reads files: one of each project. */
const concurrency = 4;
/** In one session they would gain nothing, and others would wait for a step of each. */
const concurrencyInOneSession = 1;
const filesAtOnce = 1;
/** For all projects together. */
const mostAtOnce = 1_024;
/** A mailing keeps its place for this long. Then it is the next one's turn. */
const sliceMs = 2_000;

/** Moves due mailings forward: from their files to messages, and to their end. */
export function startPlanning(context: Context): Pump {
  const stopping = new AbortController();
  const mailingsAtOnce = context.sql.isOneSession ? concurrencyInOneSession : concurrency;
  const pump = startPump<LeasedMailing, void>({
    name: 'planning',
    clock: context.clock,
    log: context.log,
    due: () => dueLanes(context.sql),
    claim(lane, free) {
      const now = context.clock.now();
      const [lease, leaseUntil] = [context.newId(), leaseEnd(now)];
      return claimMailings(context.sql, { lane, free, lease, now, leaseUntil });
    },
    perform: (held) => workOn(context, held, stopping.signal),
    record: async () => {},
    places(lane) {
      const places = lane === commonLane ? mailingsAtOnce : filesAtOnce;
      return { least: places, most: places };
    },
    mostAtOnce,
    leaseMs,
    renew: (held, until) => renewMailings(context.sql, held, until),
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

/** Takes steps until the mailing rests, loses its lease, has had its turn, or changes its lane. */
export async function workOn(context: Context, claimed: LeasedMailing, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + sliceMs;
  let held = claimed;
  try {
    while (!stopping.aborted && performance.now() < until && laneOf(held) === laneOf(claimed)) {
      const begun = performance.now();
      const next = await takeStep(context, held, stopping);
      if (!next) return;
      held = next;
      await makeRoom(context.sql, performance.now() - begun);
    }
    await rest(context, held, context.clock.now());
  } catch (error) {
    await noteFailure(context, held, error, stopping);
  }
}
