import { useMemo, useRef, useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import type { Edits } from '../use-edits.ts';
import type { Mark } from './card-node.tsx';
import { edgesOf } from './flow.ts';
import { type Card, cardOf, type Graph, type Place } from './graph.ts';
import { placesOf } from './layout.ts';
import type { CardNumbers, Walked } from './numbers.ts';
import { moveTo } from './operations.ts';
import { canvasTexts } from './texts.ts';
import { useNodes } from './use-nodes.ts';
import { useView } from './use-view.ts';
import { wordsOf } from './words.ts';

/** Where the canvas brings the focus in the side panel. */
export type Aim = 'fields' | 'ways';

export type CanvasProps = {
  graph: Graph;
  edits: Edits;
  complaints: ReadonlyMap<string, readonly string[]>;
  /** The step where the player is. */
  here: string | null;
  numbers: ReadonlyMap<string, CardNumbers> | null;
  walked: Walked | null;
  /** A card that shall get the focus, for example when the panel gives it back. */
  wanted: string | null;
  onWanted(id: string | null): void;
  onChoose(id: string | null): void;
  onOpen(id: string, aim: Aim): void;
};

/** The menu of kinds is open here, for a step behind a way. */
export type Opening = {
  x: number;
  y: number;
  place: Place;
  from: { card: string; handle: string } | null;
};

const nothing: ReadonlyMap<string, Mark> = new Map();

/** Everything that lies on the canvas, and what is selected of it. */
export function useDesk(props: CanvasProps) {
  const { graph, edits, complaints, here, numbers, walked, wanted, onWanted, onChoose } = props;
  const t = useTexts(canvasTexts);
  const frame = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [edgeSelection, setEdgeSelection] = useState<ReadonlySet<string>>(new Set());
  const [dragged, setDragged] = useState<ReadonlyMap<string, Place>>(new Map());
  const [opening, setOpening] = useState<Opening | null>(null);
  const [current, setCurrent] = useState<string | null>(null);

  const words = useMemo(() => (card: Card) => wordsOf(card, t), [t]);
  const settled = useMemo(() => placesOf(graph, words), [graph, words]);
  const places = useMemo(() => new Map([...settled, ...dragged]), [settled, dragged]);
  const reached = current !== null && cardOf(graph, current) ? current : graph.start;
  const look = {
    places,
    wordsOf: words,
    selection,
    current: reached,
    wanted,
    here,
    complaints,
    numbers,
    walked,
  };
  const nodes = useNodes(graph, { ...look, marks: nothing }, dragged, edits);
  const edges = useMemo(() => edgesOf(graph, edgeSelection, walked), [graph, edgeSelection, walked]);
  const view = useView(frame, graph, places, words);

  /** Cards that were only arranged keep their places from the first change on. */
  const pinned = (text: string): string =>
    graph.cards.every(({ place }) => place !== null) ? text : moveTo(text, settled);

  function select(ids: readonly string[]) {
    setSelection(new Set(ids));
    const [only] = ids.length === 1 ? ids : [];
    onChoose(only !== undefined && cardOf(graph, only) ? only : null);
  }

  return {
    ...props,
    ...{ frame, nodes, edges, places, words, view, pinned, select, setCurrent },
    ...{ selection, setSelection, edgeSelection, setEdgeSelection, dragged, setDragged, opening, setOpening },
    selectedCards: graph.cards.filter(({ id }) => selection.has(id)).map(({ id }) => id),
    alter: (edit: (text: string) => string) => edits.apply((text) => edit(pinned(text))),
    /** Brings a card into view, and the focus to it. It may be a card that the next drawing shows. */
    goTo(id: string, place: Place | undefined = places.get(id)) {
      select([id]);
      onChoose(id);
      setCurrent(id);
      if (place) view.show(place);
      onWanted(id);
    },
  };
}

export type Desk = ReturnType<typeof useDesk>;
