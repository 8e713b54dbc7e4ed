/** Repeated texts are prepared under a name. The many others are not kept on a server. */
const mostNames = 1_000;
const mostSeen = 10_000;

/**
 * Gives repeated texts a name, so that a server need not parse and plan them each time. Filters make texts without
 * end, so a text that occurs once has no name. The number of names is limited.
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
