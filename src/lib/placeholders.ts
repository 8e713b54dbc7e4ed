/** `{{name}}`; the spaces around a name do not count, those within do. */
const placeholder = /\{\{([^{}]{1,1100})\}\}/g;

/** The names in a text, in the order of their first appearance, each once. */
export function placeholdersOf(text: string): string[] {
  const names = Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The text with every placeholder replaced; what has no value leaves nothing behind. Values are not looked into. */
export function fill(text: string, valueFor: (name: string) => string | null): string {
  return text.replace(placeholder, (whole, name: string) =>
    name.trim() === '' ? whole : (valueFor(name.trim()) ?? ''),
  );
}
