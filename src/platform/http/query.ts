import { isRecord } from './json.ts';
import { isStorable } from './storable.ts';

/**
 * The query as text by name. Of several values the last counts, and empty values are dropped. A value that cannot be
 * stored becomes U+FFFD. A filter by it finds nothing, instead of being dropped and finding everything.
 */
export function readQuery(query: unknown): Record<string, string> {
  if (!isRecord(query)) return {};
  const read: Record<string, string> = {};
  for (const [name, given] of Object.entries(query)) {
    const value: unknown = Array.isArray(given) ? given.at(-1) : given;
    if (typeof value === 'string' && value !== '') read[name] = storable(value);
  }
  return read;
}

const storable = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
