import { useEffect } from 'react';
import type { ChatPage } from '../../../../src/people/chat-center/schema.ts';
import { go, placeNow } from '../address.ts';
import { useDesk } from '../desk.tsx';

/** A link to one client leaves no choice, so the latest chat opens at once. */
export function useOnlyClient(): void {
  const { api, account } = useDesk();
  useEffect(() => {
    if (account.profile === null || location.hash) return;
    go({ list: 'all' });
    api
      .get<ChatPage>('chats/', { list: 'all', limit: 1 })
      .then(({ results: [latest] }) => {
        if (latest && placeNow().chat === '') go({ chat: latest.uuid });
      })
      // The list shows the error.
      .catch(() => {});
  }, [api, account]);
}
