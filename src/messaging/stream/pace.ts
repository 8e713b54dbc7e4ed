import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { Throttled } from '../../platform/problem.ts';
import { batched } from '../../platform/pump/batch.ts';
import { takePlaces } from './store.ts';

const most = 20;
const windowMs = 1000;

/**
 * Twenty evenly spaced calls a second arrive unevenly. A call that is early by less than its share of the second
 * waits instead of being refused.
 */
const patienceMs = windowMs / most;

const together = 500;

/** Returns the time at which a project's task is accepted, once that has come. Throws `Throttled`. */
export type Admit = (projectId: string) => Promise<Date>;

/**
 * The stream's rate limit: any second, wherever it begins, holds at most twenty of a project's tasks. Their times are
 * stored in the database, so that the limit is shared by all processes. Only an accepted task takes a place. Source:
 * docs/contract.md, section 4.
 */
export function streamPace({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Admit {
  const place = batched((projectIds: string[]) => placesFor(sql, projectIds, clock.now()), {
    max: together,
    failsAll: isDatabaseUnavailable,
  });
  return async (projectId) => {
    const moment = await place(projectId);
    if (moment === null) throw new Throttled(windowMs / 1000);
    const earlyMs = moment.getTime() - clock.now().getTime();
    if (earlyMs > 0) await pause(earlyMs);
    return moment;
  };
}

/** A time for each call, in order of arrival. Null for refused calls. */
async function placesFor(
  sql: Context['sql'],
  projectIds: readonly string[],
  now: Date,
): Promise<(Date | null)[]> {
  const asked = Map.groupBy(projectIds, (projectId) => projectId);
  const given = await takePlaces(
    sql,
    [...asked].map(([projectId, calls]) => ({ projectId, places: calls.length })),
    { most, windowMs, now, soonest: new Date(now.getTime() + patienceMs) },
  );
  const moments = new Map(given.map((row) => [row.project_id, row.moments.values()]));
  return projectIds.map((projectId) => moments.get(projectId)?.next().value ?? null);
}
