import type { Mark } from './card-node.tsx';
import { cardOf, type Graph, targetOf } from './graph.ts';

/** What has become of each step from one drawing to another. Steps that are as they were have no mark. */
export function marksBetween(before: Graph, after: Graph): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  const told = (graph: Graph, id: string) => {
    const card = cardOf(graph, id);
    return JSON.stringify([card?.step, card?.ways.map(targetOf), graph.start === id]);
  };
  for (const { id } of after.cards) {
    if (!cardOf(before, id)) marks.set(id, 'added');
    else if (told(before, id) !== told(after, id)) marks.set(id, 'changed');
  }
  for (const { id } of before.cards) if (!cardOf(after, id)) marks.set(id, 'removed');
  return marks;
}

/** Both drawings in one: the later one, and the cards that are gone where they stood. */
export function bothOf(before: Graph, after: Graph): Graph {
  const gone = before.cards.filter(({ id }) => !cardOf(after, id));
  return { ...after, cards: [...after.cards, ...gone] };
}
