import type { EdgeChange, NodeChange, OnConnectEnd } from '@xyflow/react';
import { drop, lead } from './desk-actions.ts';
import type { FlowNode } from './flow.ts';
import type { Desk } from './use-desk.ts';

/** What the library tells of the mouse. */

export function nodesChanged(desk: Desk, changes: NodeChange<FlowNode>[]): void {
  const chosen = new Set(desk.selection);
  const moved = new Map(desk.dragged);
  let isDropped = false;
  for (const one of changes) {
    if (one.type === 'select') {
      if (one.selected) chosen.add(one.id);
      else chosen.delete(one.id);
    }
    if (one.type === 'position' && one.position) moved.set(one.id, [one.position.x, one.position.y]);
    if (one.type === 'position' && !one.dragging) isDropped = true;
  }
  if (changes.some(({ type }) => type === 'select')) desk.select([...chosen]);
  if (isDropped) drop(desk, moved);
  else if (moved.size > 0) desk.setDragged(moved);
}

export function edgesChanged({ edgeSelection, setEdgeSelection }: Desk, changes: EdgeChange[]): void {
  const chosen = new Set(edgeSelection);
  for (const one of changes) {
    if (one.type !== 'select') continue;
    if (one.selected) chosen.add(one.id);
    else chosen.delete(one.id);
  }
  setEdgeSelection(chosen);
}

/** A way was dropped: anywhere on a card leads there, and on nothing opens the menu for a new step. */
export const connectionEnded =
  (desk: Desk): OnConnectEnd =>
  (event, { fromHandle, toHandle }) => {
    if (toHandle || fromHandle?.type !== 'source' || !fromHandle.id) return;
    const from = { card: fromHandle.nodeId, handle: fromHandle.id };
    const pointer = 'changedTouches' in event ? event.changedTouches[0] : event;
    if (!pointer) return;
    const { clientX: x, clientY: y } = pointer;
    const under = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-card]')?.dataset.card;
    if (under !== undefined) {
      if (under !== from.card) lead(desk, from.card, from.handle, under);
      return;
    }
    const { left, top } = desk.view.box();
    const [placeX, placeY] = desk.view.placeAt(x, y);
    desk.setOpening({ x: x - left, y: y - top, place: [placeX, placeY - 17], from });
  };
