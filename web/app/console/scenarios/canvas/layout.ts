import { Graph as Layout, layout } from '@dagrejs/dagre';
import { type Card, type Graph, type Place, targetOf } from './graph.ts';
import { cardWidth, shapeOf } from './shape.ts';

const gap = { between: 36, ranks: 110 };

/** Places for all steps, from left to right along the conversation. `wordsOf` decides how high a card is. */
export function tidied({ cards, start }: Graph, wordsOf: (card: Card) => string): Map<string, Place> {
  if (cards.length === 0) return new Map();
  const plan = new Layout({ multigraph: true });
  plan.setGraph({ rankdir: 'LR', nodesep: gap.between, ranksep: gap.ranks });
  const heights = new Map(cards.map((card) => [card.id, shapeOf(card, wordsOf(card)).height]));
  // The layout begins with the steps in this order.
  const first = cards.toSorted((one, other) => Number(other.id === start) - Number(one.id === start));
  for (const { id } of first) plan.setNode(id, { width: cardWidth, height: heights.get(id) ?? 0 });
  for (const { id, ways } of cards) {
    for (const way of ways) {
      const to = targetOf(way);
      if (to !== null && to !== id && heights.has(to)) plan.setEdge(id, to, {}, way.handle);
    }
  }
  layout(plan);
  return new Map(
    cards.map(({ id }) => {
      const { x = 0, y = 0 } = plan.node(id);
      return [id, [Math.round(x - cardWidth / 2), Math.round(y - (heights.get(id) ?? 0) / 2)]];
    }),
  );
}

/** Arranging more cards takes longer than a person waits for a page. They are set out plainly until tidied up. */
const mostAtOpening = 120;

/** Columns by the number of steps from the start. */
function setOut({ cards, start }: Graph, wordsOf: (card: Card) => string): Map<string, Place> {
  const known = new Map(cards.map((card) => [card.id, card]));
  const columns = new Map<string, number>();
  const bottoms: number[] = [];
  const places = new Map<string, Place>();
  const waiting = start === null ? [] : [start];
  const others = cards.map(({ id }) => id);
  for (;;) {
    const id = waiting.shift() ?? others.shift();
    if (id === undefined) return places;
    const card = known.get(id);
    if (!card || places.has(id)) continue;
    const column = columns.get(id) ?? 0;
    const y = bottoms[column] ?? 0;
    places.set(id, [column * (cardWidth + gap.ranks), y]);
    bottoms[column] = y + shapeOf(card, wordsOf(card)).height + gap.between;
    for (const to of card.ways.flatMap((way) => targetOf(way) ?? [])) {
      if (!columns.has(to)) columns.set(to, column + 1);
      waiting.push(to);
    }
  }
}

/** Where each card stands. A card without a place of its own is arranged, or set beside a card that leads to it. */
export function placesOf(graph: Graph, wordsOf: (card: Card) => string): Map<string, Place> {
  const placed = graph.cards.filter(({ place }) => place !== null);
  if (placed.length === 0) return (graph.cards.length > mostAtOpening ? setOut : tidied)(graph, wordsOf);
  const places = new Map(placed.map(({ id, place }) => [id, place ?? ([0, 0] as const)]));
  for (const card of graph.cards) {
    if (!places.has(card.id)) places.set(card.id, besideOf(graph, card, places));
  }
  return places;
}

function besideOf(graph: Graph, card: Card, places: ReadonlyMap<string, Place>): Place {
  const before = graph.cards.find(
    ({ id, ways }) => places.has(id) && ways.some((way) => targetOf(way) === card.id),
  );
  return freePlace(before && places.get(before.id), places);
}

/** A free place to the right of another, or below all. */
export function freePlace(beside: Place | undefined, places: ReadonlyMap<string, Place>): Place {
  const all = [...places.values()];
  if (all.length === 0) return [0, 0];
  let place: Place = beside
    ? [beside[0] + cardWidth + gap.ranks, beside[1]]
    : [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([, y]) => y)) + 200];
  while (isTaken(place, all)) place = [place[0], place[1] + 60];
  return place;
}

const isTaken = ([x, y]: Place, all: readonly Place[]): boolean =>
  all.some(([left, top]) => Math.abs(left - x) < cardWidth && top - y < 160 && y - top < 160);
