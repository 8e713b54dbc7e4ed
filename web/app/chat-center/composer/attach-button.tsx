import { ActionIcon, FileButton } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { useAddFiles, useSizeLimit } from './add-files.ts';
import { composerTexts } from './texts.ts';

export function AttachButton({ chat }: { chat: string }) {
  const t = useTexts(composerTexts);
  const addFiles = useAddFiles(chat);
  const limit = useSizeLimit();
  const resetFiles = useRef<() => void>(null);
  function attach(chosen: File[]) {
    addFiles(chosen);
    // The same file may be chosen again.
    resetFiles.current?.();
  }
  return (
    <FileButton multiple onChange={attach} resetRef={resetFiles}>
      {(props) => (
        <ActionIcon
          {...props}
          variant="subtle"
          size="lg"
          aria-label={t.attach(limit)}
          title={t.attach(limit)}
        >
          <IconPaperclip size={20} aria-hidden />
        </ActionIcon>
      )}
    </FileButton>
  );
}
