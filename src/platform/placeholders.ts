/** `{{name}}`. Spaces around a name do not count, spaces within do. */
const placeholder = /\{\{([^{}]{1,1100})\}\}/g;

/** The names in a text in the order of their first appearance, each once. */
export function placeholdersOf(text: string): string[] {
  const names = Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** More than any messenger accepts. A short text can ask for a long value ten thousand times. */
export const longestFilled = 65_536;

/**
 * The text with every placeholder replaced. A placeholder without a value becomes empty. Values are not expanded
 * again. A text that grows beyond `longestFilled` is cut there: the rest is missing.
 */
export function fill(text: string, valueFor: (name: string) => string | null): string {
  let filled = '';
  let end = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(placeholder)) {
    filled += text.slice(end, index) + (name.trim() === '' ? whole : (valueFor(name.trim()) ?? ''));
    if (filled.length > longestFilled) return filled;
    end = index + whole.length;
  }
  return filled + text.slice(end);
}
