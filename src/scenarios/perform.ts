import type { Button as SentButton } from '../channels/contract/adapter.ts';
import { matches } from '../clients/filters/matches.ts';
import { groupsNamedIn } from '../clients/filters/promocode-names.ts';
import type { JsonValue } from '../platform/http/fields.ts';
import { momentOf } from '../platform/moment.ts';
import { filterOf } from './cases.ts';
import { waitsForClient } from './graph.ts';
import { durationMs, isMoment, nextTimeOfDay } from './moments.ts';
import type { Button, Step, StepOf } from './schema.ts';
import { written, writtenAddress } from './texts.ts';
import { type Course, changeProfile, onward, setVariable, type Walk } from './walk.ts';

/** Performs a step, and returns its successor. */
export function perform(walk: Walk, step: Step): Course {
  switch (step.type) {
    case 'message':
      return send(walk, step, step, step.buttons);
    case 'ask':
      return send(walk, step, { text: step.text }, step.options?.map(asButton));
    case 'branch':
      return chosenCase(walk, step) ?? onward(walk, step);
    case 'set':
      set(walk, step);
      return onward(walk, step);
    case 'wait':
      return wait(walk, step);
    case 'request':
      walk.memory.requests += 1;
      return { kind: 'waiting', step: step.id, for: { what: 'answer' } };
    case 'promocode':
      return { kind: 'waiting', step: step.id, for: { what: 'codes', groups: [step.group] } };
    case 'operator':
      // The text is sent first: a message in an open session would count as the operator's.
      return step.text === undefined ? handOver(walk, step) : send(walk, step, { text: step.text });
    case 'goto':
      return step.scenario === undefined
        ? { next: step.step ?? null, way: 'step' }
        : { kind: 'elsewhere', scenario: written(step.scenario, walk) };
    case 'end':
      return { kind: 'ended' };
  }
}

type Option = NonNullable<StepOf<'ask'>['options']>[number];

const asButton = ({ text, value }: Option): Button => ({ text, payload: value });

/** The option as the client has seen it. */
export const writtenOption = (walk: Walk, option: Option): Option => ({
  ...option,
  text: written(option.text, walk),
  ...(option.value !== undefined && { value: written(option.value, walk) }),
});

type Message = { text?: string; image?: string; document?: string };

/**
 * Sends the text of a step, and goes on. If that takes a promo code, waits for it first. A run begins with its first
 * message, and goes no further before the client has it.
 */
function send(
  walk: Walk,
  step: Step,
  { text, image, document }: Message,
  buttons: readonly Button[] = [],
): Course {
  const { memory, actions } = walk;
  const groups = groupsNamedIn(JSON.stringify([text, image, document, buttons]));
  if (groups.some((name) => !Object.hasOwn(memory.codes, name))) {
    return { kind: 'waiting', step: step.id, for: { what: 'codes', groups } };
  }
  const url = image ?? document;
  actions.push({
    type: 'message',
    kind: image ? 'image' : document ? 'document' : 'text',
    text: text === undefined ? null : written(text, walk),
    url: url === undefined ? null : writtenAddress(url, walk),
    buttons: buttons.map((button) => writtenButton(walk, button)),
    promocodes: memory.codes,
  });
  memory.codes = {};
  return walk.isOpening
    ? { kind: 'waiting', step: step.id, for: { what: 'sending' } }
    : afterSending(walk, step);
}

export function writtenButton(walk: Walk, { text, payload, url }: Button): SentButton {
  return {
    text: written(text, walk),
    ...(payload !== undefined && { payload: written(payload, walk) }),
    ...(url !== undefined && { url: writtenAddress(url, walk) }),
  };
}

/** What a step does once its message has been sent. */
export function afterSending(walk: Walk, step: Step): Course {
  switch (step.type) {
    case 'message':
      return standOrGo(walk, step);
    case 'ask':
      return ask(walk, step);
    case 'operator':
      return handOver(walk, step);
    default:
      return onward(walk, step);
  }
}

const standOrGo = (walk: Walk, step: StepOf<'message'>): Course =>
  waitsForClient(step)
    ? { kind: 'waiting', step: step.id, for: { what: 'client', until: null } }
    : onward(walk, step);

function ask({ now }: Walk, { id, timeout }: StepOf<'ask'>): Course {
  const until = timeout ? new Date(now.getTime() + durationMs(timeout.after)).toISOString() : null;
  return { kind: 'waiting', step: id, for: { what: 'client', until } };
}

/** The scenario's variables are looked up like those of the chat, and take precedence. */
function chosenCase({ facts, memory, work }: Walk, { cases }: StepOf<'branch'>): Course | null {
  const chat = { ...facts.chat, variables: { ...facts.chat.variables, ...memory.variables } };
  const place = cases.findIndex(({ when }) => matches(filterOf(when), { ...facts, chat }, work));
  const chosen = cases[place];
  return chosen ? { next: chosen.next, way: `cases.${place}.next` } : null;
}

function set(
  walk: Walk,
  { variables = {}, attributes = {}, add_tags = [], remove_tags = [] }: StepOf<'set'>,
): void {
  const filled = (text: string) => written(text, walk);
  const value = (text: string | null): JsonValue => (text === null ? null : filled(text));
  for (const [name, text] of Object.entries(variables)) setVariable(walk.memory, name, value(text));
  changeProfile(walk, {
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, value(text)])),
    addTags: add_tags.map(filled),
    removeTags: remove_tags.map(filled),
  });
}

function wait(walk: Walk, step: StepOf<'wait'>): Course {
  const { facts, now } = walk;
  const until = (moment: Date): Course => ({
    kind: 'waiting',
    step: step.id,
    for: { what: 'time', until: moment.toISOString() },
  });
  if (step.for) return until(new Date(now.getTime() + durationMs(step.for)));
  if (step.at !== undefined) return until(nextTimeOfDay(step.at, facts.profile.timezone, now));
  const moment = written(step.until ?? '', walk);
  return isMoment(moment)
    ? until(momentOf(moment))
    : {
        kind: 'failed',
        reason: `Step "${step.id}" cannot wait until "${moment.slice(0, 100)}": it is no moment.`,
      };
}

function handOver(walk: Walk, step: StepOf<'operator'>): Course {
  walk.actions.push({
    type: 'operator',
    title: written(step.title ?? '', walk),
    team: step.team === undefined ? null : written(step.team, walk),
  });
  return { kind: 'waiting', step: step.id, for: { what: 'client', until: null } };
}
