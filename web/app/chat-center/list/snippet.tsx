import { Text } from '@mantine/core';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import classes from './list.module.css';
import { listTexts } from './texts.ts';

/** The last message, in one line. */
export function Snippet({ message }: { message: ChatEntry['last_message'] }) {
  const t = useTexts(listTexts);
  if (!message)
    return (
      <Text size="sm" className={classes.aside}>
        {t.noMessages}
      </Text>
    );
  const said = message.text || (message.type === 'text' ? '' : t[message.type]);
  return (
    <Text size="sm" truncate>
      {message.direction === 'out' && <span aria-hidden>↩ </span>}
      {said}
    </Text>
  );
}
