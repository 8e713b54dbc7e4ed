import { Button, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useTexts } from '../../shared/language.tsx';
import { messageStates } from '../../shared/message-states.ts';
import { common } from '../../shared/texts.ts';
import type { Outgoing } from '../composer/outbox.ts';
import { useDesk } from '../desk.tsx';
import classes from './conversation.module.css';
import { Foot } from './entry.tsx';
import { LinkedText } from './linked-text.tsx';
import { Attached, Picture } from './picture.tsx';
import { conversationTexts } from './texts.ts';

/** An unconfirmed entry: in flight, or failed with the reason and a retry button. */
export function OutgoingEntry({ outgoing }: { outgoing: Outgoing }) {
  const t = useTexts(conversationTexts);
  const { outbox, drafts } = useDesk();
  const states = useTexts(messageStates);
  const { edit } = useTexts(common);
  const { id, chat, type, text, attachment, at, state, problem } = outgoing;
  /** Moves the text back into the message field, before its current text. */
  function takeBack() {
    const { text: newer } = drafts.of(chat);
    drafts.write(chat, { text: [text, newer].filter(Boolean).join('\n'), isNote: type === 'note' });
    outbox.discard(id);
  }
  return (
    <li className={classes.bubble} data-side={type === 'note' ? 'note' : 'out'}>
      <span className={classes.author}>{type === 'note' ? `${t.note} · ${t.you}` : t.you}</span>
      {attachment &&
        (type === 'image' ? (
          <Picture url={attachment.url} caption={text} />
        ) : (
          <Attached url={attachment.url} />
        ))}
      {text && (
        <span className={classes.text}>
          <LinkedText text={text} />
        </span>
      )}
      <Foot at={at}>{state === 'sending' && <IconClock size={16} role="img" title={states.PENDING} />}</Foot>
      {state !== 'sending' && (
        <div role="alert">
          <Text size="xs" className={classes.failed}>
            {state === 'unreached' ? t.unreached : t.refused(problem)}
          </Text>
          <Group gap="xs" mt={4}>
            <Button size="compact-xs" variant="default" onClick={() => outbox.retry(id)}>
              {t.retry}
            </Button>
            {attachment === null && (
              <Button size="compact-xs" variant="default" onClick={takeBack}>
                {edit}
              </Button>
            )}
            <Button size="compact-xs" variant="default" onClick={() => outbox.discard(id)}>
              {t.discard}
            </Button>
          </Group>
        </div>
      )}
    </li>
  );
}
