/** The beginning of a number that may be changed: sixteen digits, or an exponent of three. Never within a uuid. */
const suspect = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/**
 * Parses JSON. A number that would be changed becomes the value of `keep` for its text. Only texts with long numbers,
 * which are few, are checked number by number. Throws as `JSON.parse` does.
 */
export function parseExactly(text: string, keep: (source: string) => unknown): unknown {
  if (!suspect.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && isChanged(value, source) ? keep(source) : value,
  );
}

/** Every number has a text of so many digits. */
const mostDigits = 17;
/** Below it, a number has fewer digits. */
const leastNormal = 2 ** -1022;

/**
 * Whether digits are lost, in the number or when it is written. A large number is written with zeros for the last ones.
 * A decimal may have the seventeen digits with which other programs write it.
 */
export function isChanged(value: number, source: string): boolean {
  if (isInteger(source)) return !Number.isSafeInteger(value) && String(value) !== source;
  if (!Number.isFinite(value)) return true;
  const digits = significant(source);
  if (digits.length > mostDigits) return true;
  const size = Math.abs(value);
  const isExact = size >= leastNormal && size <= Number.MAX_SAFE_INTEGER;
  return !isExact && digits !== significant(String(value));
}

export const isInteger = (source: string): boolean => /^-?\d+$/.test(source);

/** The digits without the sign, the point, the exponent, and the zeros at both ends. */
function significant(source: string): string {
  const digits = source.replace(/[eE][^eE]*$/, '').replace(/[-.]/g, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}
