import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import { canvasTexts } from './texts.ts';

export type NoteData = {
  id: string;
  text: string;
  onText(id: string, text: string): void;
};

export type NoteNode = Node<NoteData, 'note'>;

/** A comment on the canvas. No run sees it. */
export const NoteView = memo(function NoteView({
  data: { id, text, onText },
  selected,
}: NodeProps<NoteNode>) {
  const t = useTexts(canvasTexts);
  return (
    <div className={classes.note} data-selected={selected || undefined}>
      <div className={`${classes.noteHead} note-head`} aria-hidden />
      <textarea
        className={`${classes.noteText} nodrag nowheel`}
        aria-label={t.note}
        placeholder={t.noteEmpty}
        value={text}
        onChange={(event) => onText(id, event.currentTarget.value)}
      />
    </div>
  );
});
