import type { Card } from './graph.ts';

/** The size of a card is known before it is drawn: cards can be arranged, and most of them left undrawn. */

export const cardWidth = 264;
export const headHeight = 34;
export const lineHeight = 18;
export const wayHeight = 26;
const bodyPadding = 14;
const footPadding = 6;
const charactersALine = 36;
const mostLines = 5;

/** The number of lines of a card's words, at most five. */
export function linesOf(words: string): number {
  const lines = words
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersALine)), 0);
  return words === '' ? 0 : Math.min(mostLines, lines);
}

export type Shape = { height: number; lines: number; wayTop(index: number): number };

export function shapeOf(card: Pick<Card, 'ways'>, words: string): Shape {
  const lines = linesOf(words);
  const body = lines === 0 ? 0 : lines * lineHeight + bodyPadding;
  const top = headHeight + body;
  return {
    lines,
    height: top + card.ways.length * wayHeight + footPadding,
    wayTop: (index) => top + index * wayHeight,
  };
}
