/** Digits that may be those of an integer that a JavaScript number does not hold. */
const manyDigits = /\d{16}/;

/**
 * JSON in which an integer that would be rounded becomes what `keep` makes of its digits. Few texts have so many digits
 * together, and only they are looked at number by number. Throws what `JSON.parse` throws.
 */
export function parseExactly(text: string, keep: (digits: string) => unknown): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && isRounded(value, source) ? keep(source) : value,
  );
}

/** Whether digits were lost on the way to a number. */
export const isRounded = (value: number, source: string): boolean =>
  /^-?\d+$/.test(source) && (!Number.isFinite(value) || BigInt(value) !== BigInt(source));
