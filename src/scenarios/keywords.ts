/** A message without surrounding spaces and in lower case: the form in which keywords are stored and compared. */
export const asKeyword = (text: string): string => text.trim().toLowerCase();

const startOf = '/start ';

/** The keyword of a start by a link with this parameter, which some messengers send as a text of this form. */
export const startKeyword = (ref: string): string => asKeyword(`${startOf}${ref}`);

/** The parameter of the link that the keyword stands for. Null when it stands for no link. */
export const refOf = (keyword: string): string | null =>
  keyword.startsWith(startOf) ? keyword.slice(startOf.length) : null;

/** The texts between the wildcards of a keyword. One text is a keyword without wildcards. */
export type Pieces = readonly string[];

/** `*` is a wildcard for any number of characters, and `\*` is a star. */
export const piecesOf = (keyword: string): Pieces =>
  keyword.split(/(?<!\\)\*/).map((piece) => piece.replaceAll('\\*', '*'));

/** Whether messages without any common character would match. */
export const isUnbounded = (keyword: string): boolean =>
  keyword !== '' && piecesOf(keyword.replaceAll(' ', '')).every((piece) => piece === '');

/** The LIKE pattern of a keyword with a star. Null for a keyword that is compared as it is. */
export function patternOf(keyword: string): string | null {
  if (!keyword.includes('*')) return null;
  return piecesOf(keyword)
    .map((piece) => piece.replace(/[\\%_]/g, '\\$&'))
    .join('%');
}

/** Whether some message matches both keywords. The welcome, an empty keyword, matches none. */
export function overlap(one: Pieces, other: Pieces): boolean {
  if (isWelcome(one) || isWelcome(other)) return isWelcome(one) && isWelcome(other);
  if (one.length === 1) return matches(other, one[0] ?? '');
  if (other.length === 1) return matches(one, other[0] ?? '');
  // Whatever is between the first and the last wildcards of both fits in between, one after the other.
  const [start = '', otherStart = ''] = [one[0], other[0]];
  const [end = '', otherEnd = ''] = [one.at(-1), other.at(-1)];
  return (
    (start.startsWith(otherStart) || otherStart.startsWith(start)) &&
    (end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}

const isWelcome = (pieces: Pieces): boolean => pieces.length === 1 && pieces[0] === '';

function matches(pieces: Pieces, text: string): boolean {
  const [start = '', ...others] = pieces;
  const end = others.pop();
  if (end === undefined) return start === text;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let place = start.length;
  for (const piece of others) {
    const found = text.indexOf(piece, place);
    if (found < 0) return false;
    place = found + piece.length;
  }
  return place + end.length <= text.length;
}
