/** A message without surrounding spaces and in lower case: the form in which keywords are stored and compared. */
export const asKeyword = (text: string): string => text.trim().toLowerCase();

const startOf = '/start ';

/** The keyword of a start by a link with this parameter, which some messengers send as a text of this form. */
export const startKeyword = (ref: string): string => asKeyword(`${startOf}${ref}`);

/** The parameter of the link that the keyword stands for. Null when it stands for no link. */
export const refOf = (keyword: string): string | null =>
  keyword.startsWith(startOf) ? keyword.slice(startOf.length) : null;

/** A character, or a wildcard for any number of characters. */
type Part = { char: string } | 'any';

/** `*` is a wildcard, and `\*` is a star. */
const partsOf = (keyword: string): Part[] =>
  [...keyword.matchAll(/\\\*|./gsu)].map(([text]) =>
    text === '*' ? 'any' : { char: text === '\\*' ? '*' : text },
  );

/** Whether messages without any common character would match. */
export const isUnbounded = (keyword: string): boolean =>
  keyword !== '' && partsOf(keyword.replaceAll(' ', '')).every((part) => part === 'any');

/** The LIKE pattern of a keyword with a star. Null for a keyword that is compared as it is. */
export function patternOf(keyword: string): string | null {
  if (!keyword.includes('*')) return null;
  return partsOf(keyword)
    .map((part) => (part === 'any' ? '%' : part.char.replace(/[\\%_]/, '\\$&')))
    .join('');
}

/** Whether some message matches both keywords. The welcome, an empty keyword, matches none. */
export function overlap(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other;
  const [lefts, rights] = [partsOf(one), partsOf(other)];
  // Whether the rest of the left keyword overlaps the rest of the right one from each of its places on.
  let after = rights.map((_, place) => rights.slice(place).every((part) => part === 'any')).concat(true);
  for (const left of lefts.toReversed()) {
    const here = Array<boolean>(rights.length + 1).fill(false);
    for (let place = rights.length; place >= 0; place -= 1) {
      here[place] = canMeet(left, rights[place], {
        bothOn: after[place + 1] ?? false,
        leftOn: after[place] ?? false,
        rightOn: here[place + 1] ?? false,
      });
    }
    after = here;
  }
  return after[0] ?? false;
}

type Rest = { bothOn: boolean; leftOn: boolean; rightOn: boolean };

/** `right` is undefined at the end of its keyword. */
function canMeet(left: Part, right: Part | undefined, { bothOn, leftOn, rightOn }: Rest): boolean {
  if (left === 'any') return leftOn || (right !== undefined && rightOn);
  if (right === 'any') return leftOn || rightOn;
  return right !== undefined && left.char === right.char && bothOn;
}
