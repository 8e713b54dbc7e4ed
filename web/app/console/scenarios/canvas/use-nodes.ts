import { type RefObject, useMemo, useRef } from 'react';
import type { Edits } from '../use-edits.ts';
import type { CardNode } from './card-node.tsx';
import { cardNode, type FlowNode, type Look } from './flow.ts';
import type { Graph, Note, Place } from './graph.ts';
import { setNote } from './operations.ts';

/** The cards and comments as the library draws them. What looks as before is the same object. */
export function useNodes(
  graph: Graph,
  look: Look,
  dragged: ReadonlyMap<string, Place>,
  edits: Edits,
): FlowNode[] {
  const known: RefObject<Map<string, CardNode>> = useRef(new Map());
  const { places, wordsOf, selection, current, wanted, here, complaints, marks, numbers, walked } = look;
  const cards = useMemo(() => {
    const shown = { places, wordsOf, selection, current, wanted, here, complaints, marks, numbers, walked };
    return graph.cards.map((card) => cardNode(graph, card, shown, known.current));
  }, [graph, places, wordsOf, selection, current, wanted, here, complaints, marks, numbers, walked]);
  const notes = graph.notes.map((note) =>
    noteNode(note, dragged.get(note.id), selection.has(note.id), edits),
  );
  return [...cards, ...notes];
}

function noteNode(
  { id, text, place }: Note,
  at: Place | undefined,
  selected: boolean,
  edits: Edits,
): FlowNode {
  const [x, y] = at ?? place;
  return {
    id,
    type: 'note',
    position: { x, y },
    width: 200,
    height: 130,
    selected,
    dragHandle: '.note-head',
    data: { id, text, onText: (note, to) => edits.apply((all) => setNote(all, note, to), `note ${note}`) },
  };
}
