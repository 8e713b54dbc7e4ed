import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';
import type { Card, Graph, Place } from './graph.ts';
import { cardWidth, shapeOf } from './shape.ts';

type Places = ReadonlyMap<string, Place>;
type Words = (card: Card) => string;
type Size = { width: number; height: number };

/** A smaller zoom shows cards, but not their words. */
const readable = 0.6;

/** The tools cover the upper edge. */
const room = { x: '24px', top: '64px', bottom: '24px' } as const;

/** The view in which the rectangle is as large as it fits. */
export const viewOf = (bounds: Rect, { width, height }: Size): Viewport =>
  getViewportForBounds(bounds, width, height, 0.1, 1, room);

/** A small scenario is seen whole, a large one from its start. */
export function firstView(graph: Graph, places: Places, words: Words, size: Size): Viewport {
  if (graph.cards.length === 0) return { x: 0, y: 0, zoom: 1 };
  const whole = viewOf(boundsOf(graph.cards, places, words), size);
  if (whole.zoom >= readable) return whole;
  const [x, y] = places.get(graph.start ?? '') ?? [0, 0];
  return { x: 24 - x * readable, y: size.height / 2 - (y + 60) * readable, zoom: readable };
}

export function boundsOf(cards: readonly Card[], places: Places, words: Words): Rect {
  const boxes = cards.map((card) => {
    const [x, y] = places.get(card.id) ?? [0, 0];
    return { x, y, bottom: y + shapeOf(card, words(card)).height };
  });
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x)) + cardWidth - x,
    height: Math.max(...boxes.map(({ bottom }) => bottom)) - y,
  };
}
