import { randomInt, randomUUID } from 'node:crypto';
import { leavesOf, withLeaf } from './leaves.ts';
import type { Probe } from './probe.ts';

/** A replaceable part of a call. */
export type Place = {
  /** `:uuid` in the path, `?state` in the query, `chat.uuid` in the body. */
  name: string;
  value: unknown;
  put: (value: unknown) => Probe;
};

export function placesOf(probe: Probe): Place[] {
  const inPath = Object.entries(probe.params).map(([name, value]) => ({
    name: `:${name}`,
    value,
    put: (other: unknown) => ({ ...probe, params: { ...probe.params, [name]: written(other) } }),
  }));
  const inQuery = Object.entries(probe.query).map(([name, value]) => ({
    name: `?${name}`,
    value,
    put: (other: unknown) => ({ ...probe, query: { ...probe.query, [name]: written(other) } }),
  }));
  const inBody = leavesOf(probe.body).map(({ path, value }) => ({
    name: path.join('.'),
    value,
    put: (other: unknown) => ({ ...probe, body: withLeaf(probe.body, path, other) }),
  }));
  return [...inPath, ...inQuery, ...inBody];
}

/** As text, the form of paths and queries. */
const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The same call with a new identity. */
export function renewed(probe: Probe): Probe {
  const id = placesOf(probe).find(({ name }) => name === probe.once);
  return id ? id.put(typeof id.value === 'number' ? randomInt(2 ** 40) : randomUUID()) : probe;
}
