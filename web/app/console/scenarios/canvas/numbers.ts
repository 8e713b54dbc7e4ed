import type { ScenarioNumbers, ScenarioWalks } from '../../../../../src/people/console/scenarios/schema.ts';
import { edgeKey } from './flow.ts';
import { type Card, type Graph, targetOf } from './graph.ts';

/** What a card tells of its step. */
export type CardNumbers = {
  came: number;
  waiting: number;
  /** Came, and neither went on nor wait any more. Null for a step at which nobody waits for the client. */
  gone: number | null;
  left: ReadonlyMap<string, number>;
};

const waits = ({ kind, step }: Card): boolean =>
  kind === 'ask' || kind === 'operator' || (kind === 'message' && Array.isArray(step.buttons));

export function numbersOf(graph: Graph, { steps }: ScenarioNumbers): Map<string, CardNumbers> {
  const known = new Map(steps.map((one) => [one.step, one]));
  return new Map(
    graph.cards.map((card) => {
      const { came = 0, waiting = 0, left = [] } = known.get(card.id) ?? {};
      const gone = came - waiting - left.reduce((sum, { count }) => sum + count, 0);
      const numbers: CardNumbers = {
        came,
        waiting,
        gone: waits(card) ? Math.max(0, gone) : null,
        left: new Map(left.map(({ way, count }) => [way, count])),
      };
      return [card.id, numbers];
    }),
  );
}

/** The cards and edges of a way that a chat has taken. */
export type Walked = { cards: ReadonlySet<string>; edges: ReadonlySet<string> };

export function walkedIn({ cards }: Graph, path: ScenarioWalks['walks'][number]['path']): Walked {
  const edges = path.flatMap(({ step, way }) => {
    const card = cards.find(({ id }) => id === step);
    const taken = card?.ways.find(({ handle }) => handle === way);
    if (!taken) return [];
    // A way that names no step goes on as the step's usual one.
    return [edgeKey(step, targetOf(taken) === null ? 'next' : way)];
  });
  return { cards: new Set(path.map(({ step }) => step)), edges: new Set(edges) };
}
