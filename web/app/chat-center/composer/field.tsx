import { ActionIcon, Textarea } from '@mantine/core';
import { IconBolt, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { frameSession } from '../../shared/page.ts';
import { useDesk } from '../desk.tsx';
import { useAddFiles } from './add-files.ts';
import { AttachButton } from './attach-button.tsx';
import classes from './composer.module.css';
import type { Draft } from './drafts.ts';
import { QuickAnswerList, useQuickAnswerChoice } from './quick-answer-list.tsx';
import type { useSend } from './send.ts';
import { useTelling } from './telling.ts';
import { composerTexts } from './texts.ts';

/** A screen that one touches would open its keyboard, and a frame would take the focus from the page around it. */
const mayTakeFocus = (): boolean =>
  matchMedia('(hover: hover)').matches && (frameSession === '' || document.hasFocus());

type Props = { chat: ChatEntry; draft: Draft; sending: ReturnType<typeof useSend> };

/** Where one types; beside it the buttons for ready answers, files and sending. */
export function Field({ chat, draft, sending: { send, canSend, tooLongBy } }: Props) {
  const t = useTexts(composerTexts);
  const { number } = useFormat();
  const { drafts } = useDesk();
  const addFiles = useAddFiles(chat.uuid);
  const tellTyping = useTelling(chat.uuid);
  const field = useRef<HTMLTextAreaElement>(null);

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
  const label = draft.isNote ? t.toColleagues : t.toClient(chat.name);
  const problem = tooLongBy > 0 ? t.tooLong(number(tooLongBy)) : undefined;
  return (
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
        aria-activedescendant={quick.isOpen && quick.active ? `${quick.id}-${quick.active.uuid}` : undefined}
        onPaste={(event) => {
          const { files: pasted } = event.clipboardData;
          if (pasted.length === 0 || draft.isNote) return;
          event.preventDefault();
          addFiles(pasted);
        }}
      />
      <QuickAnswerButton
        onClick={() => {
          quick.toggle();
          field.current?.focus();
        }}
      />
      {!draft.isNote && <AttachButton chat={chat.uuid} />}
      <SendButton label={draft.isNote ? t.keep : t.send} disabled={!canSend} onClick={send} />
    </div>
  );
}

/** Does not take the focus from the field when it is pressed. */
function QuickAnswerButton({ onClick }: { onClick(): void }) {
  const t = useTexts(composerTexts);
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      aria-label={t.quick}
      title={t.quick}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <IconBolt size={20} aria-hidden />
    </ActionIcon>
  );
}

function SendButton({ label, disabled, onClick }: { label: string; disabled: boolean; onClick(): void }) {
  return (
    <ActionIcon size="lg" variant="filled" aria-label={label} disabled={disabled} onClick={onClick}>
      <IconSend2 size={20} aria-hidden />
    </ActionIcon>
  );
}
