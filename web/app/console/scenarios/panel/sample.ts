import { isObject } from '../source.ts';

/** A value in a sample response, and its JSON Pointer (RFC 6901). */
export type Leaf = { pointer: string; value: string };

const mostLeaves = 200;
const mostShown = 60;

/** The values of a response that a scenario can store, in their order. */
export function leavesOf(value: unknown, pointer = ''): Leaf[] {
  const inside = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index), item] as const)
    : isObject(value)
      ? Object.entries(value)
      : null;
  if (!inside) return [{ pointer, value: (JSON.stringify(value) ?? 'null').slice(0, mostShown) }];
  return inside
    .flatMap(([name, one]) => leavesOf(one, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`))
    .slice(0, mostLeaves);
}

export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(at)) return at[Number(name)];
      return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }, value);
}

/** A free name for a variable after the last words of a pointer: `/order/state` becomes `state`. */
export function nameFor(pointer: string, taken: readonly string[]): string {
  const word = pointer.split('/').findLast((part) => /^[A-Za-z]/.test(part)) ?? 'value';
  const stem = word.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, 60);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}_${number}`;
    if (!taken.includes(name)) return name;
  }
}
