import { insertAt, removeAt, setAt } from '../edit-json.ts';
import { isObject, jsonIn } from '../source.ts';
import {
  type Card,
  cardOf,
  type Graph,
  graphIn,
  type Kind,
  type Place,
  pathOf,
  type Raw,
  targetOf,
  type Way,
} from './graph.ts';
import { newStep } from './new-step.ts';

/**
 * Edits of a drawn scenario: each takes a text and returns the changed one. A step without a `next` continues at the
 * step below it in the file, which the canvas does not show. So every edit keeps where all other ways arrive.
 */

const none: Graph = { cards: [], notes: [], start: null };

const read = (source: string): Graph => graphIn(source) ?? none;

/** Where each way of each step arrives, by step and handle. */
type Arrivals = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

const arrivalsOf = ({ cards }: Graph): Map<string, Map<string, string | null>> =>
  new Map(cards.map(({ id, ways }) => [id, new Map(ways.map((way) => [way.handle, targetOf(way)]))]));

const isEnd = (graph: Graph, id: string | null): boolean => id === null || cardOf(graph, id)?.kind === 'end';

/** Ways that other edits have moved are led back to where they were. */
function keepArrivals(source: string, wanted: Arrivals): string {
  let text = source;
  let graph = read(text);
  for (const [id, ways] of wanted) {
    for (const [handle, to] of ways) {
      const found = wayOf(graph, id, handle);
      if (!found || hasArrived(graph, found.way, to)) continue;
      text =
        to === null ? ledNowhere(text, found.card, found.way) : setAt(text, pathOf(found.card, handle), to);
      graph = read(text);
    }
  }
  return text;
}

const hasArrived = (graph: Graph, way: Way, to: string | null): boolean =>
  targetOf(way) === to || (to === null && way.kind === 'next' && isEnd(graph, targetOf(way)));

/** A way that names no step. One that must name a step, and a `next` above another step, name an end. */
function ledNowhere(source: string, card: Card, way: Way): string {
  const mustName = way.kind === 'case' || way.kind === 'step';
  if (!mustName && (way.kind !== 'next' || way.falls === null)) {
    return way.to === null ? source : removeAt(source, pathOf(card, way.handle));
  }
  const [text, end] = withEnd(source);
  return setAt(text, pathOf(card, way.handle), end);
}

/** An end behind all other steps changes no way: after the last step the scenario ends. */
function withEnd(source: string): [source: string, id: string] {
  const graph = read(source);
  const known = graph.cards.findLast(({ kind }) => kind === 'end');
  if (known) return [source, known.id];
  const id = freeId(graph, 'end');
  return [insertAt(source, ['steps'], lengthOf(graph), { id, type: 'end' }), id];
}

const lengthOf = ({ cards }: Graph): number => (cards.at(-1)?.index ?? -1) + 1;

/** `ask`, `ask-2`, `ask-3` … */
export function freeId({ cards }: Pick<Graph, 'cards'>, word: string): string {
  const taken = new Set(cards.map(({ id }) => id));
  const stem = word.replace(/-\d+$/, '').slice(0, 56);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** An end to which nothing leads any more is only in the way. */
function withoutLoneEnd(source: string, id: string | null): string {
  const graph = read(source);
  const card = id === null ? undefined : cardOf(graph, id);
  if (card?.kind !== 'end' || graph.start === id) return source;
  const isLast = graph.cards.at(-1) === card;
  const isReached = graph.cards.some(({ ways }) =>
    ways.some((way) => way.to === id || (!isLast && way.falls === id)),
  );
  return isReached ? source : deleteCards(source, [card.id]);
}

function wayOf(graph: Graph, id: string, handle: string): { card: Card; way: Way } | null {
  const card = cardOf(graph, id);
  const way = card?.ways.find((one) => one.handle === handle);
  return card && way ? { card, way } : null;
}

export function connect(source: string, from: string, handle: string, to: string): string {
  const found = wayOf(read(source), from, handle);
  if (!found || found.way.to === to) return source;
  const led = setAt(source, pathOf(found.card, handle), to);
  return withoutLoneEnd(led, targetOf(found.way));
}

/** The way then leads to the end, or, unless it is the `next` itself, wherever that leads. */
export function disconnect(source: string, from: string, handle: string): string {
  const found = wayOf(read(source), from, handle);
  if (!found || (found.way.to === null && found.way.falls === null)) return source;
  const led = ledNowhere(source, found.card, found.way);
  return withoutLoneEnd(led, targetOf(found.way));
}

type Beginning = { card: string; handle: string };

/** Adds a step. After `from` it stands between that way and the step at which the way has arrived. */
export function addStep(
  source: string,
  kind: Kind,
  place: Place,
  from: Beginning | null = null,
): { source: string; id: string } {
  const graph = read(source);
  const id = freeId(graph, kind);
  const found = from && wayOf(graph, from.card, from.handle);
  const arrival = found ? targetOf(found.way) : null;
  const appended = insertAt(source, ['steps'], lengthOf(graph), newStep(kind, id));
  const arrivals = arrivalsOf(graph);
  if (from) arrivals.get(from.card)?.delete(from.handle);
  let text = keepArrivals(from ? setAtWay(appended, from, id) : appended, arrivals);
  const way = cardOf(read(text), id)?.ways.find(({ kind: of }) => of === 'next' || of === 'step');
  if (way && arrival !== null && !isEnd(graph, arrival)) {
    text = setAtWay(text, { card: id, handle: way.handle }, arrival);
  }
  return { source: withoutLoneEnd(moveTo(text, new Map([[id, place]])), arrival), id };
}

function setAtWay(source: string, { card, handle }: Beginning, to: string): string {
  const found = cardOf(read(source), card);
  return found ? setAt(source, pathOf(found, handle), to) : source;
}

/** Deletes steps. What led to one of them then leads on to where its `next` led. */
export function deleteCards(source: string, ids: readonly string[]): string {
  const graph = read(source);
  const going = new Set(ids);
  const kept = (id: string | null): string | null => {
    const seen = new Set<string>();
    let at = id;
    while (at !== null && going.has(at)) {
      if (seen.has(at)) return null;
      seen.add(at);
      const [way] = cardOf(graph, at)?.ways.filter(({ kind }) => kind === 'next' || kind === 'step') ?? [];
      at = way ? targetOf(way) : null;
    }
    return at;
  };
  const wanted = new Map<string, Map<string, string | null>>();
  for (const [id, ways] of arrivalsOf(graph)) {
    if (!going.has(id)) wanted.set(id, new Map([...ways].map(([handle, to]) => [handle, kept(to)])));
  }
  let text = source;
  for (const { id, index } of graph.cards.toReversed()) {
    if (going.has(id)) text = removeAt(text, ['steps', index]);
  }
  for (const id of ids) text = removeAt(text, ['canvas', 'positions', id]);
  text = keepArrivals(text, wanted);
  const start = kept(graph.start);
  if (start === null) return removeAt(text, ['start']);
  return read(text).start === start && cardOf(read(text), start) ? text : setStart(text, start);
}

/** After a merge the chosen steps lead where they did in the one drawing, and all others where they did in the other. */
export function ledAs(source: string, other: Graph, own: Graph, chosen: ReadonlySet<string>): string {
  const wanted = [...arrivalsOf(other)].filter(([id]) => !chosen.has(id));
  const here = read(source);
  const isThere = (id: string | null): boolean => id === null || cardOf(here, id) !== undefined;
  const all = [...wanted, ...[...arrivalsOf(own)].filter(([id]) => chosen.has(id))];
  const led = keepArrivals(
    source,
    new Map(all.map(([id, ways]) => [id, new Map([...ways].filter(([, to]) => isThere(to)))])),
  );
  const ends = here.cards.filter(({ kind }) => kind === 'end');
  return ends.reduce((text, { id }) => withoutLoneEnd(text, id), led);
}

/** The run begins at this step. */
export const setStart = (source: string, id: string): string => setAt(source, ['start'], id);

const roundedPlace = ([x, y]: Place): Place => [Math.round(x), Math.round(y)];

/** Many places are written as one value, a few into what is there. */
export function moveTo(source: string, places: ReadonlyMap<string, Place>): string {
  if (places.size > 8) {
    const known = read(source).cards.flatMap(({ id, place }) => (place ? [[id, place] as const] : []));
    const all = new Map([...known, ...places]);
    const written = Object.fromEntries([...all].map(([id, place]) => [id, roundedPlace(place)]));
    return setAt(source, ['canvas', 'positions'], written);
  }
  return [...places].reduce(
    (text, [id, place]) => setAt(text, ['canvas', 'positions', id], roundedPlace(place)),
    source,
  );
}

/** Sets a field of a step, or removes it when the value is undefined. */
export function setField(
  source: string,
  id: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  const graph = read(source);
  const card = cardOf(graph, id);
  if (!card) return source;
  const at = ['steps', card.index, ...path];
  return value === undefined ? removeAt(source, at) : setAt(source, at, value);
}

/** Gives a step another id. Everything that names it follows. */
export function renameStep(source: string, id: string, name: string): string {
  const graph = read(source);
  const card = cardOf(graph, id);
  if (!card || id === name || cardOf(graph, name)) return source;
  let text = setAt(source, ['steps', card.index, 'id'], name);
  for (const other of graph.cards) {
    for (const way of other.ways) {
      if (way.to === id) text = setAt(text, pathOf(other, way.handle), name);
    }
  }
  if (graph.start === id && card.index > 0) text = setStart(text, name);
  if (!card.place) return text;
  return moveTo(removeAt(text, ['canvas', 'positions', id]), new Map([[name, card.place]]));
}

/** Steps on the clipboard. Their ways are written out, because their order in the file is lost. */
export function copyCards(source: string, ids: readonly string[]): string {
  const graph = read(source);
  const copied = graph.cards.filter(({ id }) => ids.includes(id));
  const steps = copied.map(({ step, ways }) => {
    const next = ways.find(({ kind }) => kind === 'next');
    const to = next ? targetOf(next) : null;
    return to === null ? step : { ...step, next: to };
  });
  const positions = Object.fromEntries(copied.flatMap(({ id, place }) => (place ? [[id, place]] : [])));
  return JSON.stringify({ 'patchbay-steps': steps, positions }, null, 2);
}

export type Copied = { steps: readonly Raw[]; places: ReadonlyMap<string, Place> };

/** Null when the text is none of `copyCards`. */
export function readCopied(text: string): Copied | null {
  const value = jsonIn(text);
  if (!isObject(value) || !Array.isArray(value['patchbay-steps'])) return null;
  const { 'patchbay-steps': steps, positions } = value;
  const graph = graphIn(JSON.stringify({ steps, canvas: { positions } }));
  if (!graph || graph.cards.length === 0) return null;
  return {
    steps: graph.cards.map(({ step }) => step),
    places: new Map(graph.cards.flatMap(({ id, place }) => (place ? [[id, place] as const] : []))),
  };
}

/**
 * Adds copied steps with ids of their own. Ways among them lead to the copies. A way to a step that is not there
 * leads nowhere.
 */
export function paste(
  source: string,
  { steps, places }: Copied,
  shift: Place,
): { source: string; ids: string[] } {
  const graph = read(source);
  const names = new Map<string, string>();
  const taken = [...graph.cards];
  for (const step of steps) {
    const id = freeId({ cards: taken }, String(step.id));
    names.set(String(step.id), id);
    taken.push({ id, kind: null, index: 0, step, ways: [], place: null });
  }
  let text = source;
  for (const step of steps) {
    const length = lengthOf(read(text));
    text = insertAt(text, ['steps'], length, { ...step, id: names.get(String(step.id)) });
  }
  const ids = [...names.values()];
  text = keepArrivals(text, new Map([...arrivalsOf(graph), ...arrivalsOfCopies(graph, steps, names)]));
  const moved = new Map(
    [...places].map(([id, [x, y]]): [string, Place] => [names.get(id) ?? id, [x + shift[0], y + shift[1]]]),
  );
  return { source: moveTo(text, moved), ids };
}

function arrivalsOfCopies(
  graph: Graph,
  steps: readonly Raw[],
  names: ReadonlyMap<string, string>,
): Map<string, Map<string, string | null>> {
  const copies = steps.map((step) => graphIn(JSON.stringify({ steps: [step] }))?.cards[0]);
  const arrival = (to: string | null) =>
    to === null ? null : (names.get(to) ?? (cardOf(graph, to) ? to : null));
  return new Map(
    copies.flatMap((card) =>
      card
        ? [
            [
              names.get(card.id) ?? card.id,
              new Map(card.ways.map((way) => [way.handle, arrival(way.to)])),
            ] as const,
          ]
        : [],
    ),
  );
}

/** Comments stand beside the steps, under the key of the positions. */
export function addNote(source: string, place: Place): { source: string; id: string } {
  const taken = new Set(read(source).notes.map(({ id }) => id));
  let number = 1;
  while (taken.has(`note-${number}`)) number += 1;
  const id = `note-${number}`;
  return { source: setAt(source, ['canvas', 'notes', id], { text: '', at: roundedPlace(place) }), id };
}

export const setNote = (source: string, id: string, text: string): string =>
  setAt(source, ['canvas', 'notes', id, 'text'], text);

export const moveNote = (source: string, id: string, place: Place): string =>
  setAt(source, ['canvas', 'notes', id, 'at'], roundedPlace(place));

export const deleteNote = (source: string, id: string): string => removeAt(source, ['canvas', 'notes', id]);
