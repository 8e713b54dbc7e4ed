import type { Facts } from '../clients/filters/facts.ts';
import { newWork, TooMuchWork } from '../clients/filters/work.ts';
import { isChanged } from '../platform/exact-json.ts';
import type { JsonValue } from '../platform/http/fields.ts';
import { maxDepth } from '../platform/http/json.ts';
import { isStorable } from '../platform/http/storable.ts';
import { valueAt } from './pointer.ts';
import type { Scenario, StepOf } from './schema.ts';
import { type Answer, maxStateBytes, type State } from './state.ts';
import { written, writtenTarget, writtenWithin } from './texts.ts';
import { type Course, onward, setVariable, stepAfter, type Walk } from './walk.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: { [name: string]: string };
  body: string | undefined;
};

/** By name: the value, and the only host that may get it. */
export type Secrets = ReadonlyMap<string, { host: string; value: string }>;

/** The request must not be made. The text is for people. */
export class CannotRequest extends Error {}

/**
 * The request whose answer a run awaits. Null when it awaits none. Without secrets, their names stay in their places.
 * Throws `TooMuchWork`, and `CannotRequest` for an unknown secret, for one of another host, and for another path.
 */
export function requestOf(scenario: Scenario, state: State, facts: Facts, secrets?: Secrets): Request | null {
  const { at } = state;
  if (at.kind !== 'waiting' || at.for.what !== 'answer') return null;
  const step = scenario.steps.find(({ id }) => id === at.step);
  if (step?.type !== 'request') return null;
  const work = newWork();
  const values = { memory: state, facts, work };
  const url = writtenTarget(step.url, values);
  if (url === null) throw new CannotRequest('A value would change the path of the address.');
  const known = { ...values, secretFor: secretsAt(url, secrets) };
  const filled = Object.entries(step.headers ?? {}).map(([name, text]) => [
    name.toLowerCase(),
    written(text, known),
  ]);
  const headers = Object.fromEntries(filled);
  const { body } = step;
  const isText = typeof body === 'string';
  return {
    method: step.method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers: {
      ...(body !== undefined && {
        'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      }),
      ...headers,
    },
    body: isText ? written(body, known) : JSON.stringify(writtenWithin(body, known)),
  };
}

/** The text for people about a request that was not made for a known reason. Null for any other error. */
export function whyNotMade(error: unknown): string | null {
  if (error instanceof CannotRequest) return error.message;
  return error instanceof TooMuchWork ? 'The request has become too large.' : null;
}

const secretsAt =
  (url: string, secrets: Secrets | undefined) =>
  (name: string): string => {
    if (secrets === undefined) return `{{secret:${name}}}`;
    const host = URL.parse(url)?.host ?? '';
    const secret = secrets.get(name);
    if (secret?.host !== host) throw new CannotRequest(`There is no secret "${name}" for ${host}.`);
    return secret.value;
  };

/** A run also remembers its position and its codes. */
const roomForRest = 2_048;

/** The effect of an answer on the run. */
export function takeAnswer(walk: Walk, step: StepOf<'request'>, answer: Answer): Course {
  const failure: Course = { next: step.failed ?? stepAfter(walk, step), way: 'failed' };
  if ('failure' in answer || answer.status < 200 || answer.status > 299) return failure;
  const kept = Object.entries(step.keep ?? {});
  if (kept.length === 0) return onward(walk, step);
  const parsed = jsonOf(answer.body);
  if (parsed === undefined) return failure;
  const values = kept.map(([name, pointer]) => [name, valueAt(parsed, pointer) ?? null] as const);
  const remembered = { ...walk.memory.variables, ...Object.fromEntries(values) };
  if (Buffer.byteLength(JSON.stringify(remembered)) > maxStateBytes - roomForRest) return failure;
  for (const [name, value] of values) setVariable(walk.memory, name, value);
  return onward(walk, step);
}

/**
 * Parses JSON and drops data that the database refuses: a text becomes null, and a field with a refused name is
 * removed. Nesting is limited like a body's.
 */
function jsonOf(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text, (name, value, { source = '' }: { source?: string } = {}) => {
      if (!isStorable(name)) return undefined;
      // An id of many digits is stored as text: as a number it would be changed.
      if (typeof value === 'number' && isChanged(value, source)) return source;
      return typeof value === 'string' && !isStorable(value) ? null : value;
    });
    return isDeeper(value, maxDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

const isDeeper = (value: JsonValue, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inside) => isDeeper(inside, levels - 1)));
