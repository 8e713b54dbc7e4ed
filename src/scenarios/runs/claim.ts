import { loadFacts } from '../../messaging/chats/facts-store.ts';
import { platformsFor } from '../../messaging/push-messages/rules.ts';
import type { Context } from '../../platform/context.ts';
import { withAudiences } from '../audiences.ts';
import { type Claim, type ClaimedRun, claimedRuns, claimRuns, putOffRuns } from '../claim-store.ts';
import { takeEventStarts } from '../event-starts-store.ts';
import { endFailed, takeOpenings } from '../openings-store.ts';
import type { Scenario } from '../schema.ts';
import { takeStarts } from '../starts-store.ts';
import type { Definition, Definitions } from './definitions.ts';
import type { Turn } from './turn.ts';

/** The pause before a failed read is repeated. */
const unreadMs = 10_000;

/** Events start scenarios where a push message to the profile would. */
const platforms = platformsFor('NODE');

/** A claimed run with everything that its turn needs. Without a scenario it cannot go on. */
export type Leased = { run: ClaimedRun; scenario: Scenario | null; facts: Turn['facts'] };

/** Leases due runs of a project, at most `free`: those that begin or go on, then those that start. */
export async function claim(
  context: Context,
  definitions: Definitions,
  leased: Claim,
  free: number,
): Promise<Leased[]> {
  const count = await lease(context, leased, free);
  if (count === 0) return [];
  const known = await read(context, definitions, leased, await claimedRuns(context.sql, leased));
  const scenarios = await withAudiences(
    context.sql,
    leased.projectId,
    known.map(({ scenario }) => scenario),
  );
  return known.map((one, index) => ({ ...one, scenario: scenarios[index] ?? null }));
}

/** Returns the number of leased runs. Suspects only go on. */
async function lease({ sql, newId, wake }: Context, leased: Claim, free: number): Promise<number> {
  if (leased.areSuspects) return claimRuns(sql, leased, free);
  const { taken, failed } = await takeOpenings(sql, leased, free);
  if (failed.length > 0) await endFailed(sql, leased.projectId, failed, leased.now);
  const going = taken + (taken < free ? await claimRuns(sql, leased, free - taken) : 0);
  const starting = going < free ? await takeStarts(sql, leased, free - going, newId) : 0;
  // The sending engine refuses the starts that a session blocks.
  if (starting > 0) wake.wake('sending');
  const left = free - going - starting;
  const called = left > 0 ? await takeEventStarts(sql, leased, { free: left, platforms }, newId) : 0;
  return going + starting + called;
}

/** Runs whose facts or scenario cannot be read now are put off. */
async function read(
  context: Context,
  definitions: Definitions,
  leased: Claim,
  runs: ClaimedRun[],
): Promise<Leased[]> {
  const { sql } = context;
  const chats = runs.map(({ chat_id }) => chat_id);
  const facts = await loadFacts(sql, leased.projectId, chats);
  const known: Leased[] = [];
  const unread: string[] = [];
  for (const run of runs) {
    const about = facts.get(run.chat_id);
    const definition = await definitionOf(context, definitions, run);
    if (about && definition !== 'unread')
      known.push({ run, scenario: definition?.scenario ?? null, facts: about });
    else unread.push(run.chat_id);
  }
  const later = new Date(leased.now.getTime() + unreadMs);
  if (unread.length > 0) await putOffRuns(sql, leased, unread, later);
  return known;
}

/** A version that a run names exists. A failed read says nothing of the run, which is retried later. */
async function definitionOf(
  { log }: Context,
  definitions: Definitions,
  run: ClaimedRun,
): Promise<Definition | 'unread' | null> {
  const { project_id, scenario_id, version } = run;
  if (scenario_id === null || version === null) return null;
  try {
    const found = await definitions.at(project_id, scenario_id, version);
    if (found) return found;
    log.error({ run: run.id, version }, 'running: a run’s scenario is missing');
  } catch (error) {
    log.warn({ err: error, run: run.id }, 'running: a scenario could not be read');
  }
  return 'unread';
}
