import { fill } from './placeholders.ts';

/** A text's links, and the text between them. A link may have placeholders after its host. */
export type Piece = { kind: 'text' | 'link'; text: string };

const candidate = /https?:\/\/(?:\{\{[^{}]{1,1100}\}\}|[^\s<>"'`\\{}])+/gi;
/** The value of a placeholder may set neither the host nor the user name (`user@`). */
const withOwnHost = /^https?:\/\/[^\s/?#{}@]+(?:[/?#].*)?$/is;
const sentenceEnds = '.,;:!?…»›”“’‘';

/** A link's token has one byte for its place. */
const mostTracked = 256;

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(candidate)) {
    const link = withoutClosing(found);
    if (!withOwnHost.test(link) || !URL.canParse(link)) continue;
    pieces.push({ kind: 'text', text: text.slice(end, index) }, { kind: 'link', text: link });
    end = index + link.length;
  }
  return [...pieces, { kind: 'text', text: text.slice(end) }];
}

/** The links that can be replaced by ours, in order. */
export const linksIn = (text: string): string[] =>
  piecesOf(text)
    .filter(({ kind }) => kind === 'link')
    .slice(0, mostTracked)
    .map(({ text: link }) => link);

/** A link does not include its sentence's punctuation or quotation mark, or a bracket that was opened outside. */
function withoutClosing(link: string): string {
  const surplus = new Map<string, number>(
    brackets.map(([open, close]) => [close, countOf(link, close) - countOf(link, open)]),
  );
  let end = link.length;
  for (;;) {
    const last = link.charAt(end - 1);
    const ofOutside = surplus.get(last) ?? 0;
    if (ofOutside > 0) surplus.set(last, ofOutside - 1);
    else if (last === '' || !sentenceEnds.includes(last)) return link.slice(0, end);
    end -= 1;
  }
}

const brackets = [
  ['(', ')'],
  ['[', ']'],
] as const;

const countOf = (text: string, character: string): number => text.split(character).length - 1;

/** A link with its placeholders replaced. A value stays one part of it. */
export const fillLink = (link: string, valueFor: (name: string) => string | null): string =>
  fill(link, (name) => encodeURIComponent((valueFor(name) ?? '').toWellFormed()));
