import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useDesk } from '../desk.tsx';

/**
 * Tells the server that a chat is read, once its newest message is in sight of whoever has it. A look by somebody else
 * answers nobody: the chat keeps waiting.
 */
export function useReading(
  { uuid, unread, session }: ChatEntry,
  newest: string | undefined,
  isAtEnd: boolean,
): void {
  const { act, account } = useDesk();
  const isMine = session?.operator?.uuid === account.operator.uuid;
  const isVisible = useDocumentVisibility() === 'visible';
  const reads = isMine && unread > 0 && isAtEnd && isVisible ? newest : undefined;
  useEffect(() => {
    // What fails is told again with the next message, or at the next visit.
    if (reads) act(uuid, 'read', { message: reads }).catch(() => {});
  }, [act, uuid, reads]);
}
