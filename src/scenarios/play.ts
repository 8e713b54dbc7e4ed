import type { JsonValue } from '../platform/http/fields.ts';
import { isRecord } from '../platform/http/json.ts';
import { advance } from './engine.ts';
import { mismatch } from './expectations.ts';
import { durationMs } from './moments.ts';
import { act, factsOf, note, type PlayState } from './play-state.ts';
import { requestOf, whyNotMade } from './request.ts';
import type { Scenario } from './schema.ts';
import type { Line, Script } from './script.ts';
import { type Answer, beginning, type Event, type State } from './state.ts';
import { transcriptOf } from './transcript.ts';

/** The events in lines, and the final state. */
export type Play = PlayState & { transcript: string[] };

/** Plays a scenario from a script, without a database and without a network. It can go to the others. */
export function play([scenario, ...others]: readonly [Scenario, ...Scenario[]], script: Script): Play {
  const now = new Date(script.now ?? '2026-01-01T09:00:00Z');
  const progress: PlayState = {
    scenario,
    others: [scenario, ...others],
    state: beginning(script.params ?? {}),
    facts: factsOf(script, now),
    now,
    codes: structuredClone(script.promocodes ?? {}),
    buttons: [],
    effects: [],
    entries: [],
    before: [],
    failures: [],
  };
  happen(progress, { type: 'started' });
  script.lines.forEach((line, index) => {
    progress.before.push(progress.entries.length);
    const failure = playLine(progress, line);
    if (failure === null) return;
    progress.failures.push(`Line ${index + 1}: ${failure}`);
    progress.entries.push({ what: 'mismatch', line: index + 1, text: failure });
  });
  const broken = progress.effects.find(({ what }) => what === 'failure');
  if (broken) progress.failures.push(`The scenario failed: ${String(broken.value)}`);
  return { ...progress, transcript: transcriptOf(progress.entries) };
}

/** Null, or the fault. */
function playLine(progress: PlayState, line: Line): string | null {
  switch (line.do) {
    case 'client':
      progress.entries.push({ what: 'client', text: line.text, pressed: false });
      happen(progress, { type: 'message', text: line.text, payload: null });
      return null;
    case 'press': {
      const button = progress.buttons.find(
        ({ text, payload }) => text === line.button || payload === line.button,
      );
      if (!button) return `The last message has no button "${line.button}".`;
      progress.entries.push({ what: 'client', text: button.text, pressed: true });
      happen(progress, { type: 'message', text: button.text, payload: button.payload ?? null });
      return null;
    }
    case 'wait':
      passTime(progress, durationMs(line.duration));
      return null;
    case 'answer': {
      const { at } = progress.state;
      if (at.kind !== 'waiting' || at.for.what !== 'answer') return 'There is no request to answer.';
      happen(progress, { type: 'answer', answer: answerOf(line.answer) });
      return null;
    }
    case 'expect':
      return mismatch(progress, line.expected);
  }
}

function happen(progress: PlayState, event: Event): void {
  const { now, facts } = progress;
  const { state, actions } = advance(progress.scenario, progress.state, event, {
    now,
    facts,
    isOpening: false,
  });
  if (state === progress.state) {
    progress.entries.push({ what: 'unheard' });
    return;
  }
  progress.state = state;
  for (const action of actions) act(progress, action);
  settle(progress);
}

/** Follows the run as far as it gets without outside events. */
function settle(progress: PlayState): void {
  const { at } = progress.state;
  switch (at.kind) {
    case 'beginning':
      break;
    case 'elsewhere':
      goElsewhere(progress, at.scenario);
      break;
    case 'ended':
      note(progress, { what: 'end', value: true }, { what: 'end' });
      break;
    case 'failed':
      note(progress, { what: 'failure', value: at.reason }, { what: 'failure', reason: at.reason });
      break;
    case 'waiting':
      if (at.for.what === 'answer') announceRequest(progress);
      if (at.for.what === 'codes')
        happen(progress, { type: 'promocodes', codes: takeCodes(progress, at.for.groups) });
  }
}

function announceRequest(progress: PlayState): void {
  try {
    const request = requestOf(progress.scenario, progress.state, progress.facts);
    if (!request) return;
    const { method, url } = request;
    note(progress, { what: 'request', value: request }, { what: 'request', method, url });
  } catch (error) {
    const failure = whyNotMade(error);
    if (failure === null) throw error;
    happen(progress, { type: 'answer', answer: { failure } });
  }
}

function goElsewhere(progress: PlayState, name: string): void {
  const next = progress.others.find((one) => one.name === name);
  if (!next) {
    progress.state = {
      ...progress.state,
      at: { kind: 'failed', reason: `There is no scenario "${name}" to go to.` },
    };
    settle(progress);
    return;
  }
  progress.state = { ...progress.state, at: { kind: 'beginning' } };
  progress.entries.push({ what: 'scenario', name });
  progress.scenario = next;
  happen(progress, { type: 'started' });
}

function takeCodes({ codes }: PlayState, groups: readonly string[]): State['codes'] | null {
  if (groups.some((group) => !codes[group]?.length)) return null;
  return Object.fromEntries(groups.map((group) => [group, codes[group]?.shift() ?? '']));
}

/** Every wait that ends in this time ends at its own moment. */
function passTime(progress: PlayState, ms: number): void {
  const until = new Date(progress.now.getTime() + ms);
  for (;;) {
    const { at } = progress.state;
    const moment = at.kind === 'waiting' && 'until' in at.for && at.for.until ? new Date(at.for.until) : null;
    if (!moment || moment > until) break;
    progress.now = moment;
    progress.entries.push({ what: 'time', at: moment.toISOString() });
    happen(progress, { type: 'timer' });
  }
  progress.now = until;
}

function answerOf(answer: JsonValue): Answer {
  if (!isRecord(answer)) return { failure: 'There was no answer.' };
  const { status = 200, body = null } = answer;
  return { status: Number(status), body: typeof body === 'string' ? body : JSON.stringify(body) };
}
