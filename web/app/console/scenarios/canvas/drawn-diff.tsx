import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { ReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useMemo, useRef } from 'react';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import { bothOf, marksBetween } from './card-diff.ts';
import { CardView } from './card-node.tsx';
import { cardNode, edgesOf } from './flow.ts';
import { type Card, graphIn } from './graph.ts';
import { placesOf } from './layout.ts';
import { type CanvasTexts, canvasTexts } from './texts.ts';
import { firstView } from './view.ts';
import { wordsOf } from './words.ts';

const nodeTypes = { card: CardView };
const none: ReadonlyMap<string, readonly string[]> = new Map();
const marks = ['added', 'changed', 'removed'] as const;

/** Null if one of the texts is no scenario. */
function drawingOf(before: string, after: string, t: CanvasTexts) {
  const [older, newer] = [graphIn(before), graphIn(after)];
  if (!older || !newer) return null;
  const words = (card: Card) => wordsOf(card, t);
  const found = marksBetween(older, newer);
  const graph = bothOf(older, newer);
  const places = placesOf(graph, words);
  const look = {
    places,
    wordsOf: words,
    selection: new Set<string>(),
    current: graph.start,
    wanted: null,
    here: null,
    complaints: none,
    marks: found,
    numbers: null,
    walked: null,
  };
  const nodes = graph.cards.map((card) => cardNode(graph, card, look, new Map()));
  return { graph, places, words, nodes, edges: edgesOf(graph, new Set(), null), found };
}

/** Two versions in one drawing: each card that was added, changed or removed says so. */
export default function DrawnDiff({ before, after }: { before: string; after: string }) {
  const t = useTexts(canvasTexts);
  const { number } = useFormat();
  const frame = useRef<HTMLDivElement>(null);
  const colorMode = useComputedColorScheme('light');
  const drawn = useMemo(() => drawingOf(before, after, t), [before, after, t]);
  if (!drawn) return null;
  if (drawn.found.size === 0) return <Text>{t.noMarks}</Text>;
  const counts = marks.map(
    (mark) => [mark, [...drawn.found.values()].filter((one) => one === mark).length] as const,
  );
  return (
    <section aria-label={t.drawnDiff}>
      <Group mb="xs">
        {counts.map(([mark, count]) => (
          <Text key={mark} size="sm">
            {t.marks[mark]}: {number(count)}
          </Text>
        ))}
      </Group>
      <div ref={frame} className={classes.frame} style={{ height: 460 }}>
        <ReactFlow
          nodes={drawn.nodes}
          edges={drawn.edges}
          nodeTypes={nodeTypes}
          colorMode={colorMode}
          onInit={(flow) => {
            const box = frame.current?.getBoundingClientRect();
            if (box) flow.setViewport(firstView(drawn.graph, drawn.places, drawn.words, box));
          }}
          minZoom={0.1}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
        />
      </div>
    </section>
  );
}
