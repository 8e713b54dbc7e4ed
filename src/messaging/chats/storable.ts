import { toOneLine } from '../../platform/one-line.ts';

/** Names are index keys, and the index limits their length. */
const longestName = 255;

/**
 * Removes characters that PostgreSQL refuses, puts names on one line, and cuts those that are too long. One such
 * message must not block those behind it.
 */
export function makeStorable(part: object): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === 'string') Reflect.set(part, key, storable(key, value));
    else if (isPlain(value)) makeStorable(value);
  }
}

function storable(key: string, text: string): string {
  const isName = key === 'name' || key === 'username';
  const kept = text.replaceAll('\0', '');
  return (isName ? toOneLine(kept).slice(0, longestName) : kept).toWellFormed();
}

/** Bytes and dates stay unchanged. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
