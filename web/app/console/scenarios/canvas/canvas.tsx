import { useComputedColorScheme } from '@mantine/core';
import {
  type Edge,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  type OnConnectStartParams,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import type { Edits } from '../use-edits.ts';
import classes from './canvas.module.css';
import { CanvasBar } from './canvas-bar.tsx';
import { type CardNode, CardView, type Mark } from './card-node.tsx';
import { cardNode, edgesOf, type FlowNode, isArrow, nearest, shiftOf } from './flow.ts';
import { type Card, cardOf, type Graph, type Kind, type Place } from './graph.ts';
import { freePlace, placesOf, tidied } from './layout.ts';
import { NoteView } from './note-node.tsx';
import type { CardNumbers, Walked } from './numbers.ts';
import * as change from './operations.ts';
import { cardWidth } from './shape.ts';
import { StepMenu } from './step-menu.tsx';
import { canvasTexts } from './texts.ts';
import { useClipboard } from './use-clipboard.ts';
import { boundsOf, firstView, viewOf } from './view.ts';
import { wordsOf } from './words.ts';

const nodeTypes = { card: CardView, note: NoteView };
const nothing: ReadonlyMap<string, Mark> = new Map();

/** Where a key press or a click shall bring the focus in the side panel. */
export type Aim = 'fields' | 'ways';

type Props = {
  source: string;
  graph: Graph;
  edits: Edits;
  complaints: ReadonlyMap<string, readonly string[]>;
  /** The step where the player is. */
  here: string | null;
  /** A card that shall get the focus, for example when the panel gives it back. */
  numbers: ReadonlyMap<string, CardNumbers> | null;
  walked: Walked | null;
  wanted: string | null;
  onWanted(id: string | null): void;
  onChoose(id: string | null): void;
  onOpen(id: string, aim: Aim): void;
};

/** The scenario as cards. Whatever is done to them changes the text. */
export default function Canvas(props: Props) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

type Opening = { x: number; y: number; place: Place; from: { card: string; handle: string } | null };

function Drawing({
  source,
  graph,
  edits,
  complaints,
  here,
  numbers,
  walked,
  wanted,
  onWanted,
  onChoose,
  onOpen,
}: Props) {
  const t = useTexts(canvasTexts);
  const flow = useReactFlow<FlowNode>();
  const frame = useRef<HTMLDivElement>(null);
  const colorMode = useComputedColorScheme('light');
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [edgeSelection, setEdgeSelection] = useState<ReadonlySet<string>>(new Set());
  const [dragged, setDragged] = useState<ReadonlyMap<string, Place>>(new Map());
  const [opening, setOpening] = useState<Opening | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);

  const words = useMemo(() => (card: Card) => wordsOf(card, t), [t]);
  const settled = useMemo(() => placesOf(graph, words), [graph, words]);
  const places = useMemo(() => new Map([...settled, ...dragged]), [settled, dragged]);
  const reached = current !== null && cardOf(graph, current) ? current : graph.start;
  const known = useRef(new Map<string, CardNode>());
  const cards = useMemo(
    () =>
      graph.cards.map((card) =>
        cardNode(
          graph,
          card,
          {
            places,
            wordsOf: words,
            selection,
            current: reached,
            wanted,
            here,
            complaints,
            marks: nothing,
            numbers,
            walked,
          },
          known.current,
        ),
      ),
    [graph, places, words, selection, reached, wanted, here, complaints, numbers, walked],
  );
  const nodes = useMemo(
    (): FlowNode[] => [
      ...cards,
      ...graph.notes.map(({ id, text, place }): FlowNode => {
        const [x, y] = dragged.get(id) ?? place;
        return {
          id,
          type: 'note',
          position: { x, y },
          width: 200,
          height: 130,
          selected: selection.has(id),
          dragHandle: '.note-head',
          data: {
            id,
            text,
            onText: (note, to) => edits.apply((all) => change.setNote(all, note, to), `note ${note}`),
          },
        };
      }),
    ],
    [cards, graph.notes, dragged, selection, edits],
  );
  const edges = useMemo(() => edgesOf(graph, edgeSelection, walked), [graph, edgeSelection, walked]);
  const selectedCards = graph.cards.filter(({ id }) => selection.has(id)).map(({ id }) => id);

  /** Cards that were only arranged keep their places from the first change on. */
  const pinned = (text: string): string =>
    graph.cards.every(({ place }) => place !== null) ? text : change.moveTo(text, settled);
  const alter = (edit: (text: string) => string) => edits.apply((text) => edit(pinned(text)));

  function select(ids: readonly string[]) {
    setSelection(new Set(ids));
    const [only] = ids.length === 1 ? ids : [];
    onChoose(only !== undefined && cardOf(graph, only) ? only : null);
  }

  /** Brings a card into view, and the focus to it. */
  function goTo(id: string, place: Place | undefined = places.get(id)) {
    select([id]);
    onChoose(id);
    setCurrent(id);
    if (place) show(place);
    onWanted(id);
  }

  /** Shows these cards, as large as they fit. */
  function fit(cardsToShow: readonly Card[], at: ReadonlyMap<string, Place> = places) {
    const box = frame.current?.getBoundingClientRect();
    if (!box || cardsToShow.length === 0) return;
    flow.setViewport(viewOf(boundsOf(cardsToShow, at, words), box));
  }

  function showFirst() {
    const box = frame.current?.getBoundingClientRect();
    if (box) flow.setViewport(firstView(graph, places, words, box));
  }

  function show([x, y]: Place) {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    const { zoom } = flow.getViewport();
    const at = flow.flowToScreenPosition({ x, y });
    const isVisible =
      at.x >= box.left &&
      at.y >= box.top + 50 &&
      at.x + cardWidth * zoom <= box.right &&
      at.y + 120 * zoom <= box.bottom;
    if (!isVisible) flow.setCenter(x + cardWidth / 2, y + 60, { zoom: Math.max(zoom, 0.6) });
  }

  function add(kind: Kind) {
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

  /** The menu of kinds for a step behind this card, or for one without a way to it. */
  function openAfter(id: string | null) {
    const card = id === null ? undefined : cardOf(graph, id);
    const way =
      card?.ways.find(({ kind, to }) => to === null && !sideWays.has(kind)) ??
      card?.ways.find(({ kind }) => kind === 'next');
    const place = freePlace(card ? places.get(card.id) : undefined, places);
    const box = frame.current?.getBoundingClientRect();
    const at = flow.flowToScreenPosition({ x: (card && places.get(card.id)?.[0]) ?? place[0], y: place[1] });
    const within = (value: number, most: number) => Math.min(Math.max(value, 12), Math.max(12, most - 320));
    setOpening({
      x: within(at.x - (box?.left ?? 0) + 60, box?.width ?? 0),
      y: within(at.y - (box?.top ?? 0) + 40, box?.height ?? 0),
      place,
      from: card && way ? { card: card.id, handle: way.handle } : null,
    });
  }

  function remove() {
    const notes = graph.notes.filter(({ id }) => selection.has(id));
    const ways = edges.filter(({ id }) => edgeSelection.has(id));
    const [first] = selectedCards;
    const neighbour =
      first === undefined ? null : (nearestOther(first) ?? graph.cards.find(({ id }) => id !== first)?.id);
    alter((text) => {
      let after = change.deleteCards(text, selectedCards);
      for (const { id } of notes) after = change.deleteNote(after, id);
      for (const { source: from, sourceHandle } of ways) {
        after = change.disconnect(after, from, sourceHandle ?? 'next');
      }
      return after;
    });
    setEdgeSelection(new Set());
    if (neighbour) goTo(neighbour);
    else select([]);
  }

  const boxes = () =>
    graph.cards.map(({ id }) => {
      const [x, y] = places.get(id) ?? [0, 0];
      return { id, x, y };
    });
  const nearestOther = (id: string): string | null => {
    const others = boxes().filter((box) => box.id === id || !selection.has(box.id));
    return nearest(others, id, 'ArrowLeft') ?? nearest(others, id, 'ArrowRight');
  };

  function duplicate() {
    const copied = change.readCopied(change.copyCards(pinned(source), selectedCards));
    if (!copied) return;
    let ids: string[] = [];
    alter((text) => {
      const pasted = change.paste(text, copied, [40, 60]);
      ids = pasted.ids;
      return pasted.source;
    });
    if (ids[0] !== undefined) goTo(ids[0], shifted(places.get(selectedCards[0] ?? ''), [40, 60]));
    setSelection(new Set(ids));
  }

  function tidyUp() {
    const tidy = tidied(graph, words);
    edits.apply((text) => change.moveTo(text, tidy));
    fit(graph.cards, tidy);
  }

  function addNote() {
    const box = frame.current?.getBoundingClientRect();
    const { x, y } = flow.screenToFlowPosition({
      x: (box?.left ?? 0) + 40,
      y: (box?.top ?? 0) + 70,
    });
    edits.apply((text) => change.addNote(text, [x, y]).source);
  }

  function move(by: Place) {
    const moved = new Map(selectedCards.map((id) => [id, shifted(places.get(id), by)]));
    alter((text) => change.moveTo(text, moved));
  }

  const clipboard = useClipboard(source, selectedCards, edits, (ids) => {
    setSelection(new Set(ids));
    if (ids[0] !== undefined) setCurrent(ids[0]);
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    if (event.target instanceof Element && event.target.closest('[role=menu]')) return;
    const act = actionFor(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  function actionFor({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | null {
    const isCard = document.activeElement instanceof HTMLElement && document.activeElement.dataset.card;
    const at = isCard || null;
    if (ctrlKey || metaKey) {
      switch (key.toLowerCase()) {
        case 'z':
          return shiftKey ? edits.redo : edits.undo;
        case 'y':
          return edits.redo;
        case 'd':
          return duplicate;
        case 'f':
          return () => search.current?.focus();
        case 'a':
          return () => setSelection(new Set(graph.cards.map(({ id }) => id)));
        default:
          return null;
      }
    }
    if (isArrow(key) && at) {
      if (altKey) return () => move(shiftOf(key, 20));
      const next = nearest(boxes(), at, key);
      return () => next && goTo(next);
    }
    switch (key) {
      case 'Enter':
        return at ? () => onOpen(at, 'fields') : null;
      case 'c':
        return at ? () => onOpen(at, 'ways') : null;
      case 'n':
      case 'Insert':
        return () => openAfter(at);
      case 'Delete':
      case 'Backspace':
        return remove;
      default:
        return null;
    }
  }

  function onNodesChange(changes: NodeChange<FlowNode>[]) {
    const chosen = new Set(selection);
    const moved = new Map(dragged);
    let isDropped = false;
    for (const one of changes) {
      if (one.type === 'select') {
        if (one.selected) chosen.add(one.id);
        else chosen.delete(one.id);
      }
      if (one.type === 'position' && one.position) moved.set(one.id, [one.position.x, one.position.y]);
      if (one.type === 'position' && !one.dragging) isDropped = true;
    }
    if (changes.some(({ type }) => type === 'select')) select([...chosen]);
    if (isDropped) drop(moved);
    else if (moved.size > 0) setDragged(moved);
  }

  function drop(moved: ReadonlyMap<string, Place>) {
    setDragged(new Map());
    const isNote = (id: string) => graph.notes.some((note) => note.id === id);
    const steps = new Map([...moved].filter(([id]) => !isNote(id)));
    alter((text) => {
      let after = steps.size > 0 ? change.moveTo(text, steps) : text;
      for (const [id, place] of moved) if (isNote(id)) after = change.moveNote(after, id, place);
      return after;
    });
  }

  function onEdgesChange(changes: EdgeChange[]) {
    const chosen = new Set(edgeSelection);
    for (const one of changes) {
      if (one.type !== 'select') continue;
      if (one.selected) chosen.add(one.id);
      else chosen.delete(one.id);
    }
    setEdgeSelection(chosen);
  }

  const began = useRef<OnConnectStartParams | null>(null);
  const lead = (from: string, handle: string, to: string) =>
    alter((text) => change.connect(text, from, handle, to));
  const onConnectEnd: OnConnectEnd = (event, state) => {
    const { current: start } = began;
    began.current = null;
    if (state.toHandle || !start?.nodeId || !start.handleId || start.handleType !== 'source') return;
    const from = { card: start.nodeId, handle: start.handleId };
    const { clientX, clientY } =
      'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-card]')
      ?.dataset.card;
    if (under !== undefined) {
      if (under !== from.card) lead(from.card, from.handle, under);
      return;
    }
    const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
    const box = frame.current?.getBoundingClientRect();
    setOpening({
      x: clientX - (box?.left ?? 0),
      y: clientY - (box?.top ?? 0),
      place: [x, y - 17],
      from,
    });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards inside.
    <div
      ref={frame}
      className={classes.frame}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = target instanceof HTMLElement ? target.dataset.card : undefined;
        if (id === undefined) return;
        setCurrent(id);
        onWanted(null);
        if (!selection.has(id)) select([id]);
      }}
      {...clipboard}
    >
      <CanvasBar
        search={search}
        graph={graph}
        wordsOf={words}
        edits={edits}
        selected={selectedCards.length}
        onAdd={() => openAfter(selectedCards[0] ?? graph.cards.at(-1)?.id ?? null)}
        onNote={addNote}
        onTidy={tidyUp}
        onZoom={(by) => (by > 0 ? flow.zoomIn() : flow.zoomOut())}
        onFit={() => fit(graph.cards)}
        onFind={(id) => {
          const place = places.get(id);
          select([id]);
          setCurrent(id);
          if (place) flow.setCenter(place[0] + cardWidth / 2, place[1] + 60, { zoom: 1 });
        }}
        onEnter={(id) => goTo(id)}
        onDuplicate={duplicate}
        onDelete={remove}
        onStart={() =>
          selectedCards[0] !== undefined && alter((text) => change.setStart(text, selectedCards[0] ?? ''))
        }
      />
      {graph.cards.length === 0 && <p className={classes.hint}>{t.empty}</p>}
      <section aria-label={t.canvas} aria-describedby="canvas-keys" style={{ height: '100%' }}>
        <ReactFlow<FlowNode, Edge>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          colorMode={colorMode}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onConnectStart={(_, params) => {
            began.current = params;
          }}
          onConnect={({ source: from, sourceHandle, target }) =>
            sourceHandle && lead(from, sourceHandle, target)
          }
          onConnectEnd={onConnectEnd}
          onReconnect={(edge, { target }) =>
            edge.sourceHandle && lead(edge.source, edge.sourceHandle, target)
          }
          onNodeDoubleClick={(_, node) => node.type === 'card' && onOpen(node.id, 'fields')}
          onPaneClick={() => select([])}
          onInit={showFirst}
          minZoom={0.1}
          maxZoom={2}
          onlyRenderVisibleElements
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          connectionRadius={30}
          autoPanOnNodeFocus={false}
        >
          <MiniMap<FlowNode> pannable zoomable ariaLabel={t.map} nodeBorderRadius={8} />
        </ReactFlow>
      </section>
      <span id="canvas-keys" hidden>
        {t.keysHelp}
      </span>
      <StepMenu at={opening} onChoose={add} onClose={() => setOpening(null)} />
    </div>
  );
}

const shifted = (place: Place | undefined, [x, y]: Place): Place => [
  (place?.[0] ?? 0) + x,
  (place?.[1] ?? 0) + y,
];

/** A step that is added by key continues an answer that leads nowhere yet, or else the conversation. */
const sideWays: ReadonlySet<string> = new Set(['next', 'failed', 'timeout', 'empty']);
