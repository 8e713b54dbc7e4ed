/** The number of characters, which are code points. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** A text has at least half as many characters as UTF-16 units. Short and huge texts are not counted. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > limit * 2 || charactersOf(text) > limit;
}
