/** The value of a JSON text, or undefined if the text is invalid. */
export function jsonIn(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The scenario's name in its text, or null if the text is not a scenario. */
export function nameIn(source: string): string | null {
  const value = jsonIn(source);
  if (!isObject(value)) return null;
  return typeof value.name === 'string' ? value.name : '';
}

/** The text with a new name, or unchanged if it already has that name. */
export function renamed(source: string, name: string): string {
  const value = jsonIn(source);
  if (!isObject(value) || value.name === name) return source;
  return format(JSON.stringify({ ...value, name }));
}

const lineWidth = 100;

/** The formatted text, with long parts on separate lines. Invalid JSON stays unchanged. */
export function format(source: string): string {
  const value = jsonIn(source);
  return value === undefined ? source : `${written(value, 0, 0)}\n`;
}

/**
 * A value as `format` writes it. `depth` is the number of indents before its line, and `taken` the characters before
 * the value on it.
 */
export function written(value: unknown, depth: number, taken: number): string {
  const flat = flatly(value);
  if (depth > 1 && taken + flat.length <= lineWidth) return flat;
  const [inner, outer] = ['  '.repeat(depth + 1), '  '.repeat(depth)];
  const block = (open: string, parts: string[], close: string): string =>
    parts.length === 0 ? open + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, depth + 1, inner.length + 1));
    return block('[', items, ']');
  }
  if (!isObject(value)) return flat;
  const fields = Object.entries(value).map(([name, inside]) => {
    const lead = `${JSON.stringify(name)}: `;
    return lead + written(inside, depth + 1, inner.length + lead.length + 1);
  });
  return block('{', fields, '}');
}

/** On one line, with the usual spaces. */
function flatly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatly).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(([name, inside]) => `${JSON.stringify(name)}: ${flatly(inside)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
