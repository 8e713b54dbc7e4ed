import type { Facts } from '../../clients/filters/facts.ts';
import { mostInterruptions } from '../../platform/pump/suspects.ts';
import type { ClaimedRun } from '../claim-store.ts';
import { advance } from '../engine.ts';
import type { Scenario } from '../schema.ts';
import { type Action, beginning, type Event, type Move, type State } from '../state.ts';

/** The repeated pause of a wait that ends during a session. */
const sessionPauseMs = 60_000;

/** The result of one claim of a run. */
export type Turn = {
  run: ClaimedRun;
  scenario: Scenario;
  facts: Facts;
  state: State;
  actions: Action[];
  /** The steps that this turn reached and left. */
  trail: Move[];
  /** The position of the handled client's message. Null when there is none. */
  heard: number | null;
  /** The time at which the run next needs a worker. Null: it waits for the client, or has ended. */
  dueAt: Date | null;
};

/** The next task of a run. */
export type Task =
  | { do: 'advance'; event: Event; heard: number | null }
  /** The request must be made first. */
  | { do: 'request' }
  | { do: 'change scenario'; name: string }
  /** The client has written without a question. */
  | { do: 'overhear'; heard: number }
  | { do: 'wait'; until: Date | null }
  | { do: 'give up'; reason: string };

export const stateOf = (run: ClaimedRun): State => run.state ?? beginning(run.params);

/**
 * During a session the run sends nothing more, unless it was forced. A forced one speaks until it first waits for the
 * client or for a time.
 */
export function taskOf(run: ClaimedRun, now: Date): Task {
  const { at } = stateOf(run);
  // The step seems to kill its workers.
  if (run.attempts > mostInterruptions) return { do: 'give up', reason: 'A step was interrupted too often.' };
  const breaksThrough = run.start_id !== null || (run.is_forced && isUnderWay(run.state));
  const { mail } = run;
  if (run.in_session && mail) return { do: 'overhear', heard: mail.seq };
  if (run.in_session && !breaksThrough)
    return { do: 'wait', until: new Date(now.getTime() + sessionPauseMs) };
  switch (at.kind) {
    case 'beginning':
      return { do: 'advance', event: { type: 'started' }, heard: null };
    case 'elsewhere':
      return { do: 'change scenario', name: at.scenario };
    case 'ended':
    case 'failed':
      return { do: 'wait', until: null };
    case 'waiting':
      break;
  }
  const waiting = at.for;
  if (waiting.what === 'answer') return { do: 'request' };
  if (waiting.what === 'codes') return { do: 'wait', until: now };
  if (waiting.what === 'sending') return { do: 'advance', event: { type: 'sent' }, heard: null };
  if (mail && waiting.what === 'client') return { do: 'advance', event: said(mail), heard: mail.seq };
  // A run that has not begun leaves what the client writes to the conversation before.
  if (mail && run.start_id === null) return { do: 'overhear', heard: mail.seq };
  if (waiting.until === null) return { do: 'wait', until: null };
  const until = new Date(waiting.until);
  return until <= now ? { do: 'advance', event: { type: 'timer' }, heard: null } : { do: 'wait', until };
}

/** Whether a run that the client has not answered goes on by itself. */
function isUnderWay(state: State | null): boolean {
  if (state === null || state.isAnswered) return false;
  const { at } = state;
  return at.kind !== 'waiting' || (at.for.what !== 'client' && at.for.what !== 'time');
}

const said = ({ text, url, payload }: NonNullable<ClaimedRun['mail']>): Event => ({
  type: 'message',
  text: text ?? url ?? '',
  payload,
});

/** A turn that continues after an event, or without one from the current state. */
export function turnOf(
  { run, scenario, facts }: Pick<Turn, 'run' | 'scenario' | 'facts'>,
  now: Date,
  event: Event | null = null,
  heard: number | null = null,
): Turn {
  const before = stateOf(run);
  const { state, actions, trail } = event
    ? advance(scenario, before, event, { now, facts, isOpening: run.start_id !== null })
    : { state: before, actions: [], trail: [] };
  return { run, scenario, facts, state, actions, trail, heard, dueAt: dueOf(state, now) };
}

/** The time at which a run in this state next needs a worker. */
export function dueOf({ at }: State, now: Date): Date | null {
  switch (at.kind) {
    case 'beginning':
    case 'elsewhere':
      return now;
    case 'ended':
    case 'failed':
      return null;
    case 'waiting':
      break;
  }
  switch (at.for.what) {
    case 'client':
    case 'time':
      return at.for.until === null ? null : new Date(at.for.until);
    case 'answer':
    case 'codes':
    case 'sending':
      return now;
  }
}

/** The turn of a run that cannot continue. */
export const failed = (turn: Turn, reason: string): Turn => overAt(turn, { kind: 'failed', reason });

/**
 * The turn of a run that ends with its last message or start message. The conversation before hears what the client has
 * written.
 */
export const cancelled = (turn: Turn): Turn => ({ ...overAt(turn, { kind: 'ended' }), heard: null });

const overAt = (turn: Turn, at: State['at']): Turn => ({
  ...turn,
  state: { ...turn.state, at },
  actions: [],
  trail: [],
  dueAt: null,
});
