import type { ClipboardEvent } from 'react';
import { copied, pasteCopied } from './desk-actions.ts';
import { deleteCards, readCopied } from './operations.ts';
import type { Desk } from './use-desk.ts';

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Copies and pastes steps as JSON, so that they can go to another scenario, or into a text. */
export function clipboardOf(desk: Desk) {
  const { selectedCards, alter } = desk;
  function copy(event: ClipboardEvent): boolean {
    if (isField(event.target) || selectedCards.length === 0) return false;
    event.clipboardData.setData('text/plain', copied(desk));
    event.preventDefault();
    return true;
  }
  return {
    onCopy: copy,
    onCut(event: ClipboardEvent) {
      if (copy(event)) alter((text) => deleteCards(text, selectedCards));
    },
    onPaste(event: ClipboardEvent) {
      const steps = isField(event.target) ? null : readCopied(event.clipboardData.getData('text/plain'));
      if (!steps) return;
      event.preventDefault();
      pasteCopied(desk, steps, [40, 40]);
    },
  };
}
