/** A place in a JSON value, from the outside inwards. */
export type Path = readonly string[];

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every leaf inside the value, and its place. Empty without a body. */
export function leavesOf(value: unknown, at: Path = []): { path: Path; value: unknown }[] {
  if (value === undefined) return [];
  if (!isBranch(value)) return [{ path: at, value }];
  return Object.entries(value).flatMap(([name, inside]) => leavesOf(inside, [...at, name]));
}

/** A copy with another value in one place. */
export function withLeaf(value: unknown, [name, ...rest]: Path, leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const inside = isBranch(value) ? value[name] : undefined;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? withLeaf(item, rest, leaf) : item));
  return { ...(isBranch(value) && value), [name]: withLeaf(inside, rest, leaf) };
}

type Schema = { properties?: Record<string, Schema>; items?: Schema };

/** The places in a schema, with `0` for the items of a list. */
export function leavesOfSchema(schema: Schema, at: Path = []): Path[] {
  const { properties = {}, items } = schema;
  const inside = items ? { 0: items } : properties;
  if (Object.keys(inside).length === 0) return [at];
  return Object.entries(inside).flatMap(([name, child]) => leavesOfSchema(child, [...at, name]));
}
