import type { ClipboardEvent } from 'react';
import type { Edits } from '../use-edits.ts';
import { copyCards, deleteCards, paste, readCopied } from './operations.ts';

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Copies and pastes steps as JSON, so that they can go to another scenario, or into a text. */
export function useClipboard(
  source: string,
  selected: readonly string[],
  edits: Edits,
  onPasted: (ids: string[]) => void,
) {
  function copy(event: ClipboardEvent): boolean {
    if (isField(event.target) || selected.length === 0) return false;
    event.clipboardData.setData('text/plain', copyCards(source, selected));
    event.preventDefault();
    return true;
  }
  return {
    onCopy: copy,
    onCut(event: ClipboardEvent) {
      if (copy(event)) edits.apply((text) => deleteCards(text, selected));
    },
    onPaste(event: ClipboardEvent) {
      if (isField(event.target)) return;
      const copied = readCopied(event.clipboardData.getData('text/plain'));
      if (!copied) return;
      event.preventDefault();
      let ids: string[] = [];
      edits.apply((text) => {
        const pasted = paste(text, copied, [40, 40]);
        ids = pasted.ids;
        return pasted.source;
      });
      onPasted(ids);
    },
  };
}
