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

/** Whether digits are lost, in the number or when it is written: a large number is written with zeros for the last ones. */
export const isRounded = (value: number, source: string): boolean =>
  /^-?\d+$/.test(source) && !Number.isSafeInteger(value) && String(value) !== source;
