import { mostKept } from '../../platform/http/fields.ts';
import { toOneLine } from '../../platform/one-line.ts';
import { sha256 } from '../../platform/secrets/secret.ts';

/** Names and ids are index keys, and the index limits their length. */
const longestKey = 255;

const names: ReadonlySet<string> = new Set(['name', 'username', 'subject']);
const ids: ReadonlySet<string> = new Set(['externalId', 'providerId', 'chat', 'upTo']);

/**
 * Removes characters that PostgreSQL refuses, puts names on one line, and cuts texts that are too long. One such
 * message must not block those behind it.
 */
export function makeStorable(part: object): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === 'string') Reflect.set(part, key, storable(key, value));
    else if (isPlain(value)) makeStorable(value);
  }
}

function storable(key: string, text: string): string {
  const kept = text.replaceAll('\0', '');
  if (ids.has(key)) return keyOf(kept.toWellFormed());
  const most = names.has(key) ? toOneLine(kept).slice(0, longestKey) : kept.slice(0, mostKept);
  return most.toWellFormed();
}

/** A part of a long id could be that of another one. */
const keyOf = (id: string): string => (id.length <= longestKey ? id : `sha256:${sha256(id).toString('hex')}`);

/** Bytes and dates stay unchanged. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
