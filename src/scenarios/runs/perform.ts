import type { Context } from '../../platform/context.ts';
import { during, type Span } from '../../platform/telemetry/traces.ts';
import type { ClaimedRun } from '../claim-store.ts';
import type { Leased } from './claim.ts';
import type { Definitions } from './definitions.ts';
import { makeRequest } from './request.ts';
import { cancelled, dueOf, failed, stateOf, type Turn, taskOf, turnOf } from './turn.ts';

/** Makes the next turn of a run. The messages of the turn continue its span. */
export async function perform(
  context: Context,
  definitions: Definitions,
  leased: Leased,
  deadline: AbortSignal,
): Promise<Turn> {
  const span = spanOf(context, leased.run);
  const turn = await during(span, () => turnWith(context, definitions, leased, deadline));
  return span ? { ...turn, run: { ...turn.run, trace: span.trace } } : turn;
}

async function turnWith(
  context: Context,
  definitions: Definitions,
  { run, scenario, facts }: Leased,
  deadline: AbortSignal,
): Promise<Turn> {
  const now = context.clock.now();
  if (!scenario) return failed(turnOf({ run, scenario: nothing, facts }, now), notThere);
  const subject = { run, scenario, facts };
  if (run.is_cancelled && !run.state?.isAnswered) return cancelled(turnOf(subject, now));
  const task = taskOf(run, now);
  switch (task.do) {
    case 'advance':
      return turnOf(subject, now, task.event, task.heard);
    case 'request': {
      const answer = await makeRequest(context, scenario, stateOf(run), facts, run, deadline);
      return turnOf(subject, now, { type: 'answer', answer });
    }
    case 'change scenario':
      return changeScenario(definitions, turnOf(subject, now), task.name, now);
    case 'overhear':
      return turnOf(subject, now, null, task.heard);
    case 'wait':
      return { ...turnOf(subject, now), dueAt: task.until };
    case 'give up':
      return failed(turnOf(subject, now), task.reason);
  }
}

async function changeScenario(definitions: Definitions, turn: Turn, name: string, now: Date): Promise<Turn> {
  const next = await definitions.named(turn.run.project_id, name);
  if (!next?.scenario) return failed(turn, `There is no scenario "${name}" to go to.`);
  const state: Turn['state'] = { ...turn.state, at: { kind: 'beginning' } };
  const run = { ...turn.run, scenario_id: next.id, version: next.version };
  return { ...turn, run, state, dueAt: dueOf(state, now) };
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
