import { insertAt, removeAt, setAt } from '../edit-json.ts';
import { isObject, jsonIn } from '../source.ts';
import { type Card, cardOf, type Graph, graphIn } from './graph.ts';
import { deleteCards, ledAs } from './operations.ts';

/** A merged text, and the steps and fields that both have changed, where the own text is used. */
export type Merged = { source: string; clashes: string[] };

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Puts the own changes since the common text into the other person's text, step by step. Null without three drawings. */
export function merged(base: string, mine: string, theirs: string): Merged | null {
  const graphs = [graphIn(base), graphIn(mine), graphIn(theirs)] as const;
  const [began, own, other] = graphs;
  if (!began || !own || !other) return null;
  const clashes: string[] = [];
  const isChanged = ({ id, step }: Card) => !isSame(cardOf(began, id)?.step, step);
  const changed = own.cards.filter(isChanged);
  const gone = began.cards.filter(({ id }) => !cardOf(own, id) && cardOf(other, id));
  for (const { id, step } of changed) {
    const [was, is] = [cardOf(began, id)?.step, cardOf(other, id)?.step];
    if (!isSame(was, is) && !isSame(is, step)) clashes.push(id);
  }
  const deleted = gone.filter((card) => isSame(card.step, cardOf(other, card.id)?.step));
  let text = deleteCards(
    theirs,
    deleted.map(({ id }) => id),
  );
  for (const { id, step } of changed) {
    const graph: Graph | null = graphIn(text);
    const place = graph && cardOf(graph, id);
    text = place
      ? setAt(text, ['steps', place.index], step)
      : insertAt(text, ['steps'], graph?.cards.length ?? 0, step);
  }
  text = ledAs(text, other, own, new Set(changed.map(({ id }) => id)));
  return mergedFields({ source: text, clashes }, base, mine, theirs);
}

const fields = ['name', 'description', 'start', 'canvas'];

/** The fields around the steps. The places of cards are fields of their own. */
function mergedFields({ source, clashes }: Merged, base: string, mine: string, theirs: string): Merged {
  const [was, own, other] = [base, mine, theirs].map((text) => jsonIn(text));
  if (!isObject(was) || !isObject(own) || !isObject(other)) return { source, clashes };
  let text = source;
  const found = [...clashes];
  for (const field of fields) {
    if (isSame(was[field], own[field])) continue;
    const [before, now, there] = [was[field], own[field], other[field]];
    if (field === 'canvas' && isObject(now)) {
      text = setAt(text, [field], mergedCanvas(before, now, there));
    } else {
      if (!isSame(before, there) && !isSame(now, there)) found.push(field);
      text = now === undefined ? removeAt(text, [field]) : setAt(text, [field], now);
    }
  }
  return { source: text, clashes: found };
}

/** Whatever the own canvas has changed, over what the other has. */
function mergedCanvas(before: unknown, now: object, there: unknown): object {
  const [was, other] = [isObject(before) ? before : {}, isObject(there) ? there : {}];
  const names = new Set([...Object.keys(other), ...Object.keys(now)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      const [own, old, their]: unknown[] = [Reflect.get(now, name), was[name], other[name]];
      if (isObject(own) && isObject(their)) return [[name, mergedCanvas(old, own, their)]];
      const chosen = isSame(own, old) ? their : own;
      return chosen === undefined ? [] : [[name, chosen]];
    }),
  );
}
