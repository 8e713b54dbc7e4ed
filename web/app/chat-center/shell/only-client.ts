import { useEffect } from 'react';
import type { ChatPage } from '../../../../src/people/chat-center/schema.ts';
import { go, placeNow } from '../address.ts';
import { useDesk } from '../desk.tsx';

/** Who came for one client by a partner’s link has nothing to choose: the latest chat is open from the beginning. */
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
      // The list beside it says what went wrong.
      .catch(() => {});
  }, [api, account]);
}
