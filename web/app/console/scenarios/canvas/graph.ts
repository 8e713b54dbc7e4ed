import type { Path } from '../edit-json.ts';
import { isObject, jsonIn } from '../source.ts';

/** What the canvas draws of a scenario's text. The text may have faults: whatever can be drawn is drawn. */
export type Graph = {
  cards: readonly Card[];
  notes: readonly Note[];
  start: string | null;
};

export type Raw = { readonly [name: string]: unknown };

export const kinds = [
  'message',
  'ask',
  'branch',
  'set',
  'wait',
  'request',
  'promocode',
  'operator',
  'goto',
  'end',
] as const;

export type Kind = (typeof kinds)[number];

export type Card = {
  id: string;
  /** Null for a type that this release does not know. */
  kind: Kind | null;
  /** Its place in the list of steps. */
  index: number;
  step: Raw;
  ways: readonly Way[];
  place: Place | null;
};

export type Place = readonly [x: number, y: number];

export const wayKinds = ['next', 'button', 'option', 'failed', 'timeout', 'case', 'empty', 'step'] as const;

/** A way out of a step. `handle` is the path of its field, joined by dots. */
export type Way = {
  handle: string;
  kind: (typeof wayKinds)[number];
  /** The words on a button or an option, the condition of a case. */
  words: string;
  when: unknown;
  /** The step that the field names. */
  to: string | null;
  /** The next step of the file, where a `next` names none. */
  falls: string | null;
};

export type Note = { id: string; text: string; place: Place };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const listOf = (value: unknown): Raw[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Null for a text that is no JSON, or holds no list of steps. */
export function graphIn(source: string): Graph | null {
  const value = jsonIn(source);
  if (!isObject(value) || !Array.isArray(value.steps)) return null;
  const steps: unknown[] = value.steps;
  const canvas = isObject(value.canvas) ? value.canvas : {};
  const places = isObject(canvas.positions) ? canvas.positions : {};
  const cards = steps.flatMap((step, index): Card[] => {
    if (!isObject(step) || typeof step.id !== 'string') return [];
    const following = steps[index + 1];
    const falls = isObject(following) ? idOf(following.id) : null;
    const kind = kinds.find((one) => one === step.type) ?? null;
    return [
      {
        id: step.id,
        kind,
        index,
        step,
        ways: kind ? waysOf(kind, step, falls) : [],
        place: Object.hasOwn(places, step.id) ? placeIn(places[step.id]) : null,
      },
    ];
  });
  return { cards, notes: notesIn(canvas.notes), start: idOf(value.start) ?? cards[0]?.id ?? null };
}

function placeIn(value: unknown): Place | null {
  if (!Array.isArray(value)) return null;
  const [x, y]: unknown[] = value;
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : null;
}

const notesIn = (notes: unknown): Note[] =>
  isObject(notes)
    ? Object.entries(notes).flatMap(([id, note]) =>
        isObject(note) ? [{ id, text: textOf(note.text), place: placeIn(note.at) ?? [0, 0] }] : [],
      )
    : [];

function waysOf(kind: Kind, step: Raw, falls: string | null): Way[] {
  const way = (handle: string, of: Way['kind'], to: unknown, words = '', when: unknown = null): Way => ({
    handle,
    kind: of,
    words,
    when,
    to: idOf(to),
    falls: null,
  });
  const next: Way = { ...way('next', 'next', step.next), falls };
  const failed = way('failed', 'failed', step.failed);
  switch (kind) {
    case 'message':
      return [
        ...listOf(step.buttons).flatMap((button, index) =>
          button.url !== undefined && button.next === undefined
            ? []
            : [way(`buttons.${index}.next`, 'button', button.next, textOf(button.text))],
        ),
        next,
      ];
    case 'ask':
      return [
        ...listOf(step.options).map((option, index) =>
          way(`options.${index}.next`, 'option', option.next, textOf(option.text)),
        ),
        next,
        failed,
        ...(isObject(step.timeout) ? [way('timeout.next', 'timeout', step.timeout.next)] : []),
      ];
    case 'branch':
      return [
        ...listOf(step.cases).map((one, index) => way(`cases.${index}.next`, 'case', one.next, '', one.when)),
        next,
      ];
    case 'request':
      return [next, failed];
    case 'promocode':
      return [next, way('empty', 'empty', step.empty)];
    case 'set':
    case 'wait':
    case 'operator':
      return [next];
    case 'goto':
      return step.scenario === undefined ? [way('step', 'step', step.step)] : [];
    case 'end':
      return [];
  }
}

/** The step at which the way arrives. Null: the end, or wherever the step's own `next` leads. */
export const targetOf = ({ to, falls }: Way): string | null => to ?? falls;

/** The path of a way's field from the root. */
export const pathOf = (card: Card, handle: string): Path => ['steps', card.index, ...keysIn(handle)];

const keysIn = (handle: string): Path =>
  handle.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));

export const cardOf = (graph: Graph, id: string): Card | undefined =>
  graph.cards.findLast((card) => card.id === id);
