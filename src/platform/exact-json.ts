/** Digits of an integer that a JavaScript number may be unable to hold. */
const manyDigits = /\d{16}/;

/**
 * Parses JSON. An integer that would be rounded becomes the value of `keep` for its digits. Only texts with many
 * digits in a row, which are few, are checked number by number. Throws as `JSON.parse` does.
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
