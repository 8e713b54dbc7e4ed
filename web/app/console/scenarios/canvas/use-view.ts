import { useReactFlow } from '@xyflow/react';
import type { RefObject } from 'react';
import type { FlowNode } from './flow.ts';
import type { Card, Graph, Place } from './graph.ts';
import { cardWidth } from './shape.ts';
import { boundsOf, firstView, viewOf } from './view.ts';

type Places = ReadonlyMap<string, Place>;

/** Moves what is seen of the canvas. */
export function useView(
  frame: RefObject<HTMLDivElement | null>,
  graph: Graph,
  places: Places,
  words: (card: Card) => string,
) {
  const flow = useReactFlow<FlowNode>();
  const box = (): DOMRect => frame.current?.getBoundingClientRect() ?? new DOMRect();
  return {
    box,
    /** Shows all cards, as large as they fit. */
    fit(at: Places = places) {
      if (graph.cards.length > 0) flow.setViewport(viewOf(boundsOf(graph.cards, at, words), box()));
    },
    showFirst: () => flow.setViewport(firstView(graph, places, words, box())),
    zoom: (by: 1 | -1) => (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    centre: ([x, y]: Place) => flow.setCenter(x + cardWidth / 2, y + 60, { zoom: 1 }),
    /** Brings a card into view, unless it is. */
    show([x, y]: Place) {
      const { zoom } = flow.getViewport();
      const at = flow.flowToScreenPosition({ x, y });
      const { left, top, right, bottom } = box();
      const isVisible =
        at.x >= left && at.y >= top + 50 && at.x + cardWidth * zoom <= right && at.y + 120 * zoom <= bottom;
      if (!isVisible) flow.setCenter(x + cardWidth / 2, y + 60, { zoom: Math.max(zoom, 0.6) });
    },
    /** A point of the screen on the canvas, and the other way round within the frame. */
    placeAt(x: number, y: number): Place {
      const at = flow.screenToFlowPosition({ x, y });
      return [at.x, at.y];
    },
    pointOf([x, y]: Place): { x: number; y: number } {
      const { left, top } = box();
      const at = flow.flowToScreenPosition({ x, y });
      return { x: at.x - left, y: at.y - top };
    },
  };
}
