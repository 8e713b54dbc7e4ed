import { useRef } from 'react';
import { type History, noHistory, record, redo, undo } from './canvas/history.ts';

export type Edits = {
  /** Changes the text. Successive changes of one topic are undone together. */
  apply(change: (source: string) => string, topic?: string | null): void;
  /** The text with all changes. */
  text(): string;
  undo(): void;
  redo(): void;
  canUndo: boolean;
  canRedo: boolean;
};

/** The changes of a text in this session. A text that comes from elsewhere begins a new history. */
export function useEdits(source: string, edit: (source: string) => void): Edits {
  const kept = useRef<{ text: string; history: History }>({ text: source, history: noHistory });
  if (kept.current.text !== source) kept.current = { text: source, history: noHistory };
  const put = (found: { text: string; history: History } | null) => {
    if (!found) return;
    kept.current = found;
    edit(found.text);
  };
  return {
    apply(change, topic = null) {
      const { text, history } = kept.current;
      const after = change(text);
      if (after !== text) put({ text: after, history: record(history, text, after, topic) });
    },
    text: () => kept.current.text,
    undo: () => put(undo(kept.current.history, kept.current.text)),
    redo: () => put(redo(kept.current.history, kept.current.text)),
    canUndo: kept.current.history.done.length > 0,
    canRedo: kept.current.history.undone.length > 0,
  };
}
