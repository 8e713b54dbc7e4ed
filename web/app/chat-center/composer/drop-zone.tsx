import { Text } from '@mantine/core';
import { type DragEvent, type PropsWithChildren, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import classes from '../conversation/conversation.module.css';
import { useAddFiles, useSizeLimit } from './add-files.ts';
import { composerTexts } from './texts.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** A drop target around a conversation: dropped files are attached to the next message. */
export function DropZone({ chat, children }: PropsWithChildren<{ chat: string }>) {
  const t = useTexts(composerTexts);
  const limit = useSizeLimit();
  const addFiles = useAddFiles(chat);
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with the keyboard there is the button that attaches.
    <div
      className={classes.column}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        addFiles(event.dataTransfer.files);
      }}
    >
      {children}
      {isOver && (
        <div className={classes.drop}>
          <Text>{t.drop(limit)}</Text>
        </div>
      )}
    </div>
  );
}
