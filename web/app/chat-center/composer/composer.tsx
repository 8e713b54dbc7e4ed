import { SegmentedControl, Text } from '@mantine/core';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useDesk } from '../desk.tsx';
import { useHeld } from '../kept.ts';
import classes from './composer.module.css';
import { Field } from './field.tsx';
import { Files } from './files.tsx';
import { useSend } from './send.ts';
import { composerTexts } from './texts.ts';

/** Where an answer, or a note for the colleagues, is written. */
export function Composer({ chat }: { chat: ChatEntry }) {
  const t = useTexts(composerTexts);
  const { drafts, uploads } = useDesk();
  useHeld(drafts.held);
  const files = useHeld(uploads.held).filter((one) => one.chat === chat.uuid);
  const draft = drafts.of(chat.uuid);
  const sending = useSend(chat.uuid, draft, files);
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
      <Files uploads={draft.isNote ? [] : files} />
      <Field chat={chat} draft={draft} sending={sending} />
      {sending.isUploading && (
        <Text size="xs" mt={4}>
          {t.waiting}
        </Text>
      )}
    </div>
  );
}
