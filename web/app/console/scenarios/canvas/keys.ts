import type { KeyboardEvent, RefObject } from 'react';
import { boxesOf, duplicate, moveSelected, openAfter, remove } from './desk-actions.ts';
import { isArrow, nearest, shiftOf } from './flow.ts';
import type { Desk } from './use-desk.ts';

type Act = (() => void) | null;

/** The keys of the canvas. They belong to the cards: fields and menus keep their own. */
export function pressed(desk: Desk, search: RefObject<HTMLInputElement | null>, event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
  if (target instanceof Element && target.closest('[role=menu], [role=dialog]')) return;
  const act = event.ctrlKey || event.metaKey ? command(desk, search, event) : cardKey(desk, event);
  if (!act) return;
  event.preventDefault();
  act();
}

function command(
  desk: Desk,
  search: RefObject<HTMLInputElement | null>,
  { key, shiftKey }: KeyboardEvent,
): Act {
  const { edits, graph, setSelection } = desk;
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? edits.redo : edits.undo;
    case 'y':
      return edits.redo;
    case 'd':
      return () => duplicate(desk);
    case 'f':
      return () => search.current?.focus();
    case 'a':
      return () => setSelection(new Set(graph.cards.map(({ id }) => id)));
    default:
      return null;
  }
}

function cardKey(desk: Desk, { key, altKey, target }: KeyboardEvent): Act {
  const at = (target instanceof HTMLElement && target.dataset.card) || null;
  if (at !== null && isArrow(key)) {
    if (altKey) return () => moveSelected(desk, shiftOf(key, 20));
    const next = nearest(boxesOf(desk), at, key);
    return () => next && desk.goTo(next);
  }
  switch (key) {
    case 'Enter':
      return at === null ? null : () => desk.onOpen(at, 'fields');
    case 'c':
      return at === null ? null : () => desk.onOpen(at, 'ways');
    case 'n':
    case 'Insert':
      return () => openAfter(desk, at);
    case 'Delete':
    case 'Backspace':
      return () => remove(desk);
    default:
      return null;
  }
}
