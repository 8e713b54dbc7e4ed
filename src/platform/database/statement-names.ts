/** Texts are prepared under a name when they come again; of the rest, which are many, none is kept on a server. */
const mostNames = 1_000;
const mostSeen = 10_000;

/**
 * Gives texts that come again a name, so that a server need not parse and plan them each time. Filters make texts
 * without end, so a text that comes once has none, and there are so many names at most.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size === mostNames) return known;
    if (seen.delete(text)) {
      const name = `s${names.size}`;
      names.set(text, name);
      return name;
    }
    if (seen.size === mostSeen) seen.clear();
    seen.add(text);
    return undefined;
  };
}
