import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import { type Cell, createCell, dueLane, laneName } from '../../platform/pump/suspects.ts';
import { dueProjects, renewRuns } from '../claim-store.ts';
import { claim, type Leased } from './claim.ts';
import { definitionsOf } from './definitions.ts';
import { perform } from './perform.ts';
import { recordTurns } from './record.ts';
import type { Turn } from './turn.ts';

/** Renewed during longer requests. When it lapses, another worker takes over a dead worker's runs. */
const leaseMs = 5_000;
/** Chats of one project that are handled at once. */
const concurrency = 128;
/** For all projects together: each may be a request with its own socket. */
const mostAtOnce = 1_024;

/**
 * Runs scenarios in chats. Due runs start, continue or handle a message, up to the next wait at a time. The cell
 * belongs to the process.
 */
export function startScenarioRuns(context: Context, cell: Cell = createCell()): Pump {
  const { sql, clock, newId, log } = context;
  const definitions = definitionsOf(sql);

  return startPump<Leased, Turn>({
    name: 'running',
    clock,
    log,
    due: async () => (await dueProjects(sql)).map(dueLane),
    claim: async (lane, free) => {
      const { key: projectId, areSuspects } = laneName(lane);
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + leaseMs);
      return claim(context, definitions, { projectId, areSuspects, lease: newId(), now, leaseUntil }, free);
    },
    perform: (leased, deadline) => perform(context, definitions, leased, deadline),
    record: (turns) => recordTurns(context, turns),
    places: () => ({ least: concurrency, most: concurrency }),
    mostAtOnce,
    cell,
    leaseMs,
    renew: (leased, until) =>
      renewRuns(
        sql,
        leased.map(({ run }) => run),
        until,
      ),
    isUnavailable: isDatabaseUnavailable,
  });
}
