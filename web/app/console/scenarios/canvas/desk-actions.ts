import { nearest } from './flow.ts';
import { cardOf, type Kind, type Place } from './graph.ts';
import { freePlace, tidied } from './layout.ts';
import * as change from './operations.ts';
import type { Desk } from './use-desk.ts';

/** What a person does with the cards, by mouse or by key. */

const shifted = (place: Place | undefined, [x, y]: Place): Place => [
  (place?.[0] ?? 0) + x,
  (place?.[1] ?? 0) + y,
];

/** Adds the step for which the menu is open. */
export function addKind({ opening, setOpening, alter, goTo }: Desk, kind: Kind): void {
  if (!opening) return;
  let made = '';
  alter((text) => {
    const added = change.addStep(text, kind, opening.place, opening.from);
    made = added.id;
    return added.source;
  });
  setOpening(null);
  goTo(made, opening.place);
}

/** A step that is added by key continues an answer that leads nowhere yet, or else the conversation. */
const sideWays: ReadonlySet<string> = new Set(['next', 'failed', 'timeout', 'empty']);

/** Opens the menu of kinds for a step behind this card, or for one without a way to it. */
export function openAfter({ graph, places, view, setOpening }: Desk, id: string | null): void {
  const card = id === null ? undefined : cardOf(graph, id);
  const way =
    card?.ways.find(({ kind, to }) => to === null && !sideWays.has(kind)) ??
    card?.ways.find(({ kind }) => kind === 'next');
  const beside = card && places.get(card.id);
  const place = freePlace(beside, places);
  const { width, height } = view.box();
  const { x, y } = view.pointOf([beside?.[0] ?? place[0], place[1]]);
  const within = (value: number, most: number) => Math.min(Math.max(value, 12), Math.max(12, most - 320));
  setOpening({
    x: within(x + 60, width),
    y: within(y + 40, height),
    place,
    from: card && way ? { card: card.id, handle: way.handle } : null,
  });
}

export const boxesOf = ({ graph, places }: Desk) =>
  graph.cards.map(({ id }) => {
    const [x, y] = places.get(id) ?? [0, 0];
    return { id, x, y };
  });

/** The card that gets the focus when the selected ones are gone. */
function neighbourOf(desk: Desk): string | null {
  const { selectedCards, selection } = desk;
  const [first] = selectedCards;
  if (first === undefined) return null;
  const boxes = boxesOf(desk).filter(({ id }) => id === first || !selection.has(id));
  const other = nearest(boxes, first, 'ArrowLeft') ?? nearest(boxes, first, 'ArrowRight');
  return other ?? boxes.find(({ id }) => id !== first)?.id ?? null;
}

/** Deletes the selected cards and comments, and disconnects the selected ways. */
export function remove(desk: Desk): void {
  const { graph, edges, selection, edgeSelection, selectedCards, alter, goTo, select } = desk;
  const neighbour = neighbourOf(desk);
  alter((text) => {
    let after = change.deleteCards(text, selectedCards);
    for (const { id } of graph.notes) if (selection.has(id)) after = change.deleteNote(after, id);
    for (const { id, source, sourceHandle } of edges) {
      if (edgeSelection.has(id)) after = change.disconnect(after, source, sourceHandle ?? 'next');
    }
    return after;
  });
  desk.setEdgeSelection(new Set());
  if (neighbour) goTo(neighbour);
  else select([]);
}

/** Adds copies of copied steps, selects them and goes to the first. */
export function pasteCopied(desk: Desk, copied: change.Copied, shift: Place): void {
  let ids: string[] = [];
  desk.alter((text) => {
    const pasted = change.paste(text, copied, shift);
    ids = pasted.ids;
    return pasted.source;
  });
  const [first] = ids;
  const [place] = [...copied.places.values()];
  if (first !== undefined) desk.goTo(first, place && shifted(place, shift));
  desk.setSelection(new Set(ids));
}

/** The selected steps as a text. Places that only the drawing knows go along. */
export const copied = ({ edits, pinned, selectedCards }: Desk): string =>
  change.copyCards(pinned(edits.text()), selectedCards);

export function duplicate(desk: Desk): void {
  const steps = change.readCopied(copied(desk));
  if (steps) pasteCopied(desk, steps, [40, 60]);
}

export function tidyUp({ graph, words, edits, view }: Desk): void {
  const places = tidied(graph, words);
  edits.apply((text) => change.moveTo(text, places));
  view.fit(places);
}

export function addNote({ edits, view }: Desk): void {
  const { left, top } = view.box();
  edits.apply((text) => change.addNote(text, view.placeAt(left + 40, top + 70)).source);
}

export function moveSelected({ selectedCards, places, alter }: Desk, by: Place): void {
  const moved = new Map(selectedCards.map((id) => [id, shifted(places.get(id), by)]));
  alter((text) => change.moveTo(text, moved));
}

/** Cards and comments were dropped at these places. */
export function drop({ graph, setDragged, alter }: Desk, moved: ReadonlyMap<string, Place>): void {
  setDragged(new Map());
  const isNote = (id: string) => graph.notes.some((note) => note.id === id);
  const steps = new Map([...moved].filter(([id]) => !isNote(id)));
  alter((text) => {
    let after = steps.size > 0 ? change.moveTo(text, steps) : text;
    for (const [id, place] of moved) if (isNote(id)) after = change.moveNote(after, id, place);
    return after;
  });
}

export const lead = ({ alter }: Desk, from: string, handle: string, to: string): void =>
  alter((text) => change.connect(text, from, handle, to));

export function beginAtSelected({ selectedCards: [first], alter }: Desk): void {
  if (first !== undefined) alter((text) => change.setStart(text, first));
}
