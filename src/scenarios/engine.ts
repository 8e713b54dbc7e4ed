import { newWork, TooMuchWork } from '../clients/filters/work.ts';
import { checkAnswer } from './answers.ts';
import { afterSending, perform, writtenButton, writtenOption } from './perform.ts';
import { takeAnswer } from './request.ts';
import type { Scenario, Step, StepOf } from './schema.ts';
import {
  type Action,
  type Event,
  type Move,
  maxStateBytes,
  type Position,
  type State,
  type Surroundings,
  type Waiting,
} from './state.ts';
import { type Course, onward, remember, stepAfter, type Walk } from './walk.ts';

/** Steps in a row without a message of the client. More of them are a loop. */
const longestPace = 100;

export type Advance = { state: State; actions: Action[]; trail: Move[] };

/**
 * Moves a run from one event to its next wait, and returns the actions on the way. Pure, and never throws: a fault of
 * a scenario is a position too. An event that the run does not wait for changes nothing.
 */
export function advance(
  scenario: Scenario,
  state: State,
  event: Event,
  { now, facts, isOpening }: Surroundings,
): Advance {
  const memory = structuredClone(state);
  const walk: Walk = { scenario, now, isOpening, facts, memory, actions: [], trail: [], work: newWork() };
  const at = placeAfter(walk, event);
  if (!at) return { state, actions: [], trail: [] };
  const reached: State = { ...walk.memory, at };
  const bytes = Buffer.byteLength(JSON.stringify(reached));
  if (bytes > maxStateBytes) {
    const at = failed('What it remembers has grown beyond 64 KiB.');
    return { state: { ...state, at }, actions: [], trail: [] };
  }
  return { state: reached, actions: walk.actions, trail: walk.trail };
}

const failed = (reason: string): Position => ({ kind: 'failed', reason });

/** Null when the run does not wait for the event. */
function placeAfter(walk: Walk, event: Event): Position | null {
  try {
    const course = resume(walk, event);
    return course && follow(walk, course);
  } catch (error) {
    if (error instanceof TooMuchWork) return failed('Its conditions and texts look at too much at once.');
    throw error;
  }
}

/** Follows steps until one of them waits. */
function follow(walk: Walk, course: Course): Position {
  const { memory, scenario, trail } = walk;
  let on = course;
  let from = memory.at.kind === 'waiting' ? memory.at.step : null;
  for (;;) {
    if (!('next' in on)) return on;
    const { next: id, way } = on;
    if (from !== null && way !== null) trail.push([from, way]);
    if (id === null) return { kind: 'ended' };
    const step = scenario.steps.find((one) => one.id === id);
    if (!step) return failed(`There is no step "${id}".`);
    memory.pace += 1;
    if (memory.pace > longestPace) {
      return failed(
        `Step "${id}" is step ${longestPace + 1} without a word of the client: it goes round and round.`,
      );
    }
    if (way !== null) trail.push([id, '']);
    from = id;
    on = perform(walk, step);
  }
}

/** The step to which the event leads. Null when the run does not wait for it. */
function resume(walk: Walk, event: Event): Course | null {
  const { scenario, memory } = walk;
  const { at } = memory;
  if (at.kind === 'beginning') {
    if (event.type !== 'started') return null;
    return { next: scenario.start ?? scenario.steps[0]?.id ?? null, way: 'start' };
  }
  if (at.kind !== 'waiting') return null;
  const step = scenario.steps.find(({ id }) => id === at.step);
  if (!step) return failed(`There is no step "${at.step}".`);
  switch (at.for.what) {
    case 'client':
      if (event.type === 'message') return hear(walk, step, at.for, event);
      return event.type === 'timer' && at.for.until !== null ? timeOut(walk, step) : null;
    case 'time':
      return event.type === 'timer' ? onward(walk, step) : null;
    case 'answer':
      if (event.type !== 'answer' || step.type !== 'request') return null;
      return takeAnswer(walk, step, event.answer);
    case 'codes':
      return event.type === 'promocodes' ? takeCodes(walk, step, at.for.groups, event.codes) : null;
    case 'sending':
      return event.type === 'sent' ? afterSending(walk, step) : null;
  }
}

type Said = Extract<Event, { type: 'message' }>;

function hear(walk: Walk, step: Step, waiting: Waiting, said: Said): Course {
  walk.memory.pace = 0;
  walk.memory.isAnswered = true;
  switch (step.type) {
    case 'ask':
      return hearAnswer(walk, step, waiting, said);
    case 'message': {
      const words = [said.payload, said.text].map((one) => one?.trim().toLowerCase());
      const buttons = step.buttons ?? [];
      const pressed = buttons.findIndex((button) => {
        const { text, payload = text } = writtenButton(walk, button);
        return words.some((one) => one === payload.toLowerCase() || one === text.toLowerCase());
      });
      if (pressed < 0) return onward(walk, step);
      return { next: buttons[pressed]?.next ?? stepAfter(walk, step), way: `buttons.${pressed}.next` };
    }
    default:
      return onward(walk, step);
  }
}

function hearAnswer(walk: Walk, step: StepOf<'ask'>, waiting: Waiting, said: Said): Course {
  const { memory } = walk;
  const options = step.options?.map((option) => writtenOption(walk, option));
  const checked = checkAnswer({ ...step, options }, said);
  if (checked) {
    memory.tries = 0;
    if (step.keep) remember(walk, step.keep, checked.value);
    const { option } = checked;
    if (option === undefined) return onward(walk, step);
    return { next: step.options?.[option]?.next ?? stepAfter(walk, step), way: `options.${option}.next` };
  }
  memory.tries += 1;
  if (memory.tries > (step.retry?.times ?? defaultRetries)) {
    memory.tries = 0;
    return { next: step.failed ?? stepAfter(walk, step), way: 'failed' };
  }
  perform(walk, { ...step, text: step.retry?.text ?? step.text });
  return { kind: 'waiting', step: step.id, for: waiting };
}

const defaultRetries = 2;

function timeOut(walk: Walk, step: Step): Course {
  walk.memory.tries = 0;
  const next = step.type === 'ask' ? step.timeout?.next : undefined;
  return { next: next ?? stepAfter(walk, step), way: 'timeout.next' };
}

function takeCodes(walk: Walk, step: Step, groups: readonly string[], codes: State['codes'] | null): Course {
  const isKept = step.type === 'promocode';
  if (!codes) {
    if (isKept && step.empty !== undefined) return { next: step.empty, way: 'empty' };
    return failed(`There is no code left of the promo codes "${groups.join('", "')}".`);
  }
  if (isKept) {
    for (const group of groups) walk.memory.variables[step.variable] = codes[group] ?? '';
    return onward(walk, step);
  }
  walk.memory.codes = codes;
  return { next: step.id, way: null };
}
