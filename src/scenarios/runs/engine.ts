import { loadFacts } from '../../messaging/chats/facts-store.ts';
import { platformsFor } from '../../messaging/push-messages/rules.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import { type Cell, createCell, dueLane, laneName } from '../../platform/pump/suspects.ts';
import { during, type Span } from '../../platform/telemetry/traces.ts';
import { withAudiences } from '../audiences.ts';
import {
  type Claim,
  type ClaimedRun,
  claimedRuns,
  claimRuns,
  dueProjects,
  putOffRuns,
  renewRuns,
} from '../claim-store.ts';
import { takeEventStarts } from '../event-starts-store.ts';
import type { Scenario } from '../schema.ts';
import { takeStarts } from '../starts-store.ts';
import { type Definition, definitionsOf } from './definitions.ts';
import { recordTurns } from './record.ts';
import { makeRequest } from './request.ts';
import { cancelled, dueOf, failed, stateOf, type Turn, taskOf, turnOf } from './turn.ts';

/** Renewed during longer requests. When it lapses, another worker takes over a dead worker's runs. */
const leaseMs = 5_000;
/** The pause before a failed read is repeated. */
const unreadMs = 10_000;
/** Chats of one project that are handled at once. */
const concurrency = 128;
/** For all projects together: each may be a request with its own socket. */
const mostAtOnce = 1_024;

/** Events start scenarios where a push message to the profile would. */
const platforms = platformsFor('NODE');

type Leased = { run: ClaimedRun; scenario: Scenario | null; facts: Turn['facts'] };

/**
 * Runs scenarios in chats. Due runs start, continue or handle a message, up to the next wait at a time. The cell
 * belongs to the process.
 */
export function startScenarioRuns(context: Context, cell: Cell = createCell()): Pump {
  const { sql, clock, newId, log } = context;
  const definitions = definitionsOf(sql);

  async function claim(lane: string, free: number): Promise<Leased[]> {
    const { key: projectId, areSuspects } = laneName(lane);
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const leased: Claim = { projectId, areSuspects, lease: newId(), now, leaseUntil };
    const going = await claimRuns(sql, leased, free);
    const starting = going < free && !areSuspects ? await takeStarts(sql, leased, free - going, newId) : 0;
    // The sending engine refuses the starts that a session blocks.
    if (starting > 0) context.wake.wake('sending');
    const left = areSuspects ? 0 : free - going - starting;
    const called = left > 0 ? await takeEventStarts(sql, leased, { free: left, platforms }, newId) : 0;
    if (going + starting + called === 0) return [];
    const runs = await claimedRuns(sql, leased);
    const facts = await loadFacts(
      sql,
      projectId,
      runs.map(({ chat_id }) => chat_id),
    );
    const known: Leased[] = [];
    const unread: string[] = [];
    for (const run of runs) {
      const about = facts.get(run.chat_id);
      const definition = await definitionOf(run);
      if (about && definition !== 'unread')
        known.push({ run, scenario: definition?.scenario ?? null, facts: about });
      else unread.push(run.chat_id);
    }
    if (unread.length > 0) await putOffRuns(sql, leased, unread, new Date(now.getTime() + unreadMs));
    const scenarios = await withAudiences(
      sql,
      projectId,
      known.map(({ scenario }) => scenario),
    );
    return known.map((one, index) => ({ ...one, scenario: scenarios[index] ?? null }));
  }

  /** A version that a run names exists. A failed read says nothing of the run, which is retried later. */
  async function definitionOf(run: ClaimedRun): Promise<Definition | 'unread' | null> {
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

  /** The messages of the turn continue its span. */
  async function performTraced(leased: Leased, deadline: AbortSignal): Promise<Turn> {
    const span = spanOf(context, leased.run);
    const turn = await during(span, () => perform(leased, deadline));
    return span ? { ...turn, run: { ...turn.run, trace: span.trace } } : turn;
  }

  async function perform({ run, scenario, facts }: Leased, deadline: AbortSignal): Promise<Turn> {
    const now = clock.now();
    if (!scenario) return failed(turnOf({ run, scenario: nothing, facts }, now), notThere);
    const subject = { run, scenario, facts };
    if (run.is_cancelled) return cancelled(turnOf(subject, now));
    const task = taskOf(run, now);
    switch (task.do) {
      case 'advance':
        return turnOf(subject, now, task.event, task.heard);
      case 'request': {
        const answer = await makeRequest(context, scenario, stateOf(run), facts, run, deadline);
        return turnOf(subject, now, { type: 'answer', answer });
      }
      case 'change scenario':
        return changeScenario(turnOf(subject, now), task.name, now);
      case 'overhear':
        return turnOf(subject, now, null, task.heard);
      case 'wait':
        return { ...turnOf(subject, now), dueAt: task.until };
      case 'give up':
        return failed(turnOf(subject, now), task.reason);
    }
  }

  async function changeScenario(turn: Turn, name: string, now: Date): Promise<Turn> {
    const next = await definitions.named(turn.run.project_id, name);
    if (!next?.scenario) return failed(turn, `There is no scenario "${name}" to go to.`);
    const state: Turn['state'] = { ...turn.state, at: { kind: 'beginning' } };
    const run = { ...turn.run, scenario_id: next.id, version: next.version };
    return { ...turn, run, state, dueAt: dueOf(state, now) };
  }

  return startPump<Leased, Turn>({
    name: 'running',
    clock,
    log,
    due: async () => (await dueProjects(sql)).map(dueLane),
    claim,
    perform: performTraced,
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

/** A run continues the trace of its latest message. Without one it begins its own. */
function spanOf({ traces }: Context, run: ClaimedRun): Span | null | undefined {
  const facts = { project: run.project_id, scenarioRun: run.id, attempt: run.attempts };
  const beginning = { name: 'scenario step', kind: 'internal', facts } as const;
  const isFirst = run.start_id === null && run.last_message_id === null;
  return isFirst ? traces?.begin(beginning) : traces?.follow(run.trace, beginning);
}

const notThere = 'The scenario is not there, or was made for another release.';

const nothing = { name: '', steps: [] };
