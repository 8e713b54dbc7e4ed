import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useDesk } from '../desk.tsx';

/**
 * Reports a chat as read when its newest message is visible to its operator. Other readers do not count: the chat
 * keeps waiting.
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
    // A failed report is repeated with the next message or at the next visit.
    if (reads) act(uuid, 'read', { message: reads }).catch(() => {});
  }, [act, uuid, reads]);
}
