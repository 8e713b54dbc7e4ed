import { isRecord } from './json.ts';
import { isStorable } from './storable.ts';

/**
 * The query as text by name: the last of several values, none that is empty. What cannot be stored becomes U+FFFD,
 * so that a filter by it finds nothing instead of being dropped and finding everything.
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
