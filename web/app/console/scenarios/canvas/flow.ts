import type { Edge } from '@xyflow/react';
import { MarkerType, Position } from '@xyflow/react';
import type { CardNode, Mark } from './card-node.tsx';
import { type Card, cardOf, type Graph, type Place, targetOf } from './graph.ts';
import type { NoteNode } from './note-node.tsx';
import type { CardNumbers, Walked } from './numbers.ts';
import { cardWidth, headHeight, shapeOf, wayHeight } from './shape.ts';

export type FlowNode = CardNode | NoteNode;

const handleSize = 12;

export type Look = {
  places: ReadonlyMap<string, Place>;
  wordsOf(card: Card): string;
  selection: ReadonlySet<string>;
  current: string | null;
  wanted: string | null;
  here: string | null;
  complaints: ReadonlyMap<string, readonly string[]>;
  marks: ReadonlyMap<string, Mark>;
  numbers: ReadonlyMap<string, CardNumbers> | null;
  walked: Walked | null;
};

/** A card as the library draws it. A card that looks as before is the same object, and is not drawn again. */
export function cardNode(graph: Graph, card: Card, look: Look, known: Map<string, CardNode>): CardNode {
  const [x, y] = look.places.get(card.id) ?? [0, 0];
  const words = look.wordsOf(card);
  const shape = shapeOf(card, words);
  const complaints = look.complaints.get(card.id) ?? [];
  const shown = {
    isStart: graph.start === card.id,
    isHere: look.here === card.id,
    isCurrent: look.current === card.id,
    takesFocus: look.wanted === card.id,
    complaints,
    lost: card.ways.filter(({ to }) => to !== null && !cardOf(graph, to)).map(({ handle }) => handle),
    mark: look.marks.get(card.id) ?? null,
    numbers: look.numbers?.get(card.id) ?? null,
    isWalked: look.walked?.cards.has(card.id) ?? false,
  };
  const left = [...(shown.numbers?.left ?? [])];
  const signature = JSON.stringify([card.step, card.index, words, shown, left]);
  const selected = look.selection.has(card.id);
  const last = known.get(card.id);
  const isSame = last?.data.signature === signature && last.selected === selected;
  if (last && isSame && last.position.x === x && last.position.y === y) return last;
  const node: CardNode = {
    id: card.id,
    type: 'card',
    position: { x, y },
    width: cardWidth,
    height: shape.height,
    selected,
    data: last?.data.signature === signature ? last.data : { card, words, signature, ...shown },
    handles: [
      {
        id: 'in',
        type: 'target',
        position: Position.Left,
        x: -handleSize / 2,
        y: headHeight / 2 - handleSize / 2,
        width: handleSize,
        height: handleSize,
      },
      ...card.ways.map(({ handle }, index) => ({
        id: handle,
        type: 'source' as const,
        position: Position.Right,
        x: cardWidth - handleSize / 2,
        y: shape.wayTop(index) + wayHeight / 2 - handleSize / 2,
        width: handleSize,
        height: handleSize,
      })),
    ],
  };
  known.set(card.id, node);
  return node;
}

export function edgesOf(graph: Graph, chosen: ReadonlySet<string>, walked: Walked | null): Edge[] {
  const ids = new Set(graph.cards.map(({ id }) => id));
  return graph.cards.flatMap(({ id, ways }) =>
    ways.flatMap((way): Edge[] => {
      const to = targetOf(way);
      if (to === null || !ids.has(to)) return [];
      const key = edgeKey(id, way.handle);
      return [
        {
          id: key,
          source: id,
          sourceHandle: way.handle,
          target: to,
          targetHandle: 'in',
          selected: chosen.has(key),
          className: walked?.edges.has(key) ? 'walked' : way.to === null ? 'fallen' : undefined,
          ariaLabel: `${id} → ${to}`,
          markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
        },
      ];
    }),
  );
}

export const edgeKey = (card: string, handle: string): string => `${card} ${handle}`;

type Box = { id: string; x: number; y: number };

const ways = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
} as const;

export type Arrow = keyof typeof ways;

export const isArrow = (key: string): key is Arrow => Object.hasOwn(ways, key);

/** The nearest card in the direction of an arrow key. What stands in its line is nearer than what stands aside. */
export function nearest(boxes: readonly Box[], from: string, arrow: Arrow): string | null {
  const here = boxes.find(({ id }) => id === from);
  if (!here) return boxes[0]?.id ?? null;
  const [dx, dy] = ways[arrow];
  let best: { id: string; far: number } | null = null;
  for (const { id, x, y } of boxes) {
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    const far = along + aside * 2;
    if (id !== from && along > 8 && (best === null || far < best.far)) best = { id, far };
  }
  return best?.id ?? null;
}

export const shiftOf = (arrow: Arrow, by: number): Place => [ways[arrow][0] * by, ways[arrow][1] * by];
