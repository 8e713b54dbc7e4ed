import { ActionIcon, FileButton, SegmentedControl, Text, Textarea } from '@mantine/core';
import { IconBolt, IconPaperclip, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { frameSession } from '../../shared/page.ts';
import { useDesk } from '../desk.tsx';
import { useHeld } from '../kept.ts';
import { useAddFiles, useSizeLimit } from './add-files.ts';
import classes from './composer.module.css';
import { Files } from './files.tsx';
import { QuickAnswerList, useQuickAnswerChoice } from './quick-answer-list.tsx';
import { useSend } from './send.ts';
import { useTelling } from './telling.ts';
import { composerTexts } from './texts.ts';

/** On a touch screen, focus would open the keyboard. In a frame, it would take focus from the surrounding page. */
const mayTakeFocus = (): boolean =>
  matchMedia('(hover: hover)').matches && (frameSession === '' || document.hasFocus());

/** The field for a reply to the client or a note for colleagues. */
export function Composer({ chat }: { chat: ChatEntry }) {
  const t = useTexts(composerTexts);
  const { number } = useFormat();
  const { drafts, uploads } = useDesk();
  useHeld(drafts.held);
  const files = useHeld(uploads.held).filter((one) => one.chat === chat.uuid);
  const draft = drafts.of(chat.uuid);
  const addFiles = useAddFiles(chat.uuid);
  const limit = useSizeLimit();
  const tellTyping = useTelling(chat.uuid);
  const field = useRef<HTMLTextAreaElement>(null);
  const resetFiles = useRef<() => void>(null);
  const { send, canSend, tooLongBy, isUploading } = useSend(chat.uuid, draft, files);

  function write(text: string) {
    drafts.write(chat.uuid, { ...draft, text });
    if (text && !draft.isNote) tellTyping();
  }
  const quick = useQuickAnswerChoice(draft.text, (text) => {
    write(text);
    field.current?.focus();
  });
  function onKeyDown(event: KeyboardEvent) {
    if (quick.takesKey(event) || event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing)
      return;
    event.preventDefault();
    send();
  }
  function attach(chosen: File[]) {
    addFiles(chosen);
    // The operator may choose the same file again.
    resetFiles.current?.();
  }
  const label = draft.isNote ? t.toColleagues : t.toClient(chat.name);
  const shownFiles = draft.isNote ? [] : files;
  const problem = tooLongBy > 0 ? t.tooLong(number(tooLongBy)) : undefined;
  return (
    <div className={classes.composer} data-note={draft.isNote || undefined}>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t.mode}
          value={draft.isNote ? 'note' : 'message'}
          onChange={(mode) => drafts.write(chat.uuid, { ...draft, isNote: mode === 'note' })}
          data={[
            { value: 'message', label: t.message },
            { value: 'note', label: t.note },
          ]}
        />
      </div>
      <Files uploads={shownFiles} />
      <div className={classes.field}>
        <QuickAnswerList choice={quick} />
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={1}
          maxRows={8}
          autoFocus={mayTakeFocus()}
          aria-label={label}
          placeholder={label}
          value={draft.text}
          error={problem}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={quick.close}
          aria-autocomplete="list"
          aria-controls={quick.isOpen ? quick.id : undefined}
          aria-activedescendant={
            quick.isOpen && quick.active ? `${quick.id}-${quick.active.uuid}` : undefined
          }
          onPaste={(event) => {
            const { files: pasted } = event.clipboardData;
            if (pasted.length === 0 || draft.isNote) return;
            event.preventDefault();
            addFiles(pasted);
          }}
        />
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t.quick}
          title={t.quick}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            quick.toggle();
            field.current?.focus();
          }}
        >
          <IconBolt size={20} aria-hidden />
        </ActionIcon>
        {!draft.isNote && (
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
        )}
        <ActionIcon
          size="lg"
          variant="filled"
          aria-label={draft.isNote ? t.keep : t.send}
          disabled={!canSend}
          onClick={send}
        >
          <IconSend2 size={20} aria-hidden />
        </ActionIcon>
      </div>
      {isUploading && (
        <Text size="xs" mt={4}>
          {t.waiting}
        </Text>
      )}
    </div>
  );
}
