import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../platform/http/json.ts';
import type { PlayState } from './play-state.ts';
import type { Expected } from './script.ts';

/** The difference between the actual and the expected result, or null. */
export function mismatch(progress: PlayState, expected: Expected): string | null {
  const { variables, attributes, tags, ...effects } = expected;
  const { attrs, tags: has } = progress.facts.profile;
  if (variables && !holds(progress.state.variables, variables))
    return differs(variables, progress.state.variables);
  if (attributes && !holds(attrs, attributes)) return differs(attributes, attrs);
  if (tags && !tags.every((tag) => has.includes(tag))) return differs(tags, has);
  for (const what of ['message', 'request', 'operator', 'end', 'failure'] as const) {
    const wanted = effects[what];
    if (wanted === undefined) continue;
    const place = progress.effects.findIndex((effect) => effect.what === what);
    if (place < 0) return `Expected ${what} ${JSON.stringify(wanted)}, but there was none.`;
    const [effect] = progress.effects.splice(place, 1);
    if (!holds(effect?.value, wanted)) return differs(wanted, effect?.value);
  }
  return null;
}

const differs = (wanted: unknown, was: unknown): string =>
  `Expected ${JSON.stringify(wanted)}, but it was ${JSON.stringify(was)}.`;

/** Whether every expected part is there. An object may have more. A list must be complete. */
function holds(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, at) => holds(value[at], one))
    );
  }
  if (!isRecord(wanted)) return isDeepStrictEqual(value, wanted);
  return isRecord(value) && Object.entries(wanted).every(([name, inside]) => holds(value[name], inside));
}
