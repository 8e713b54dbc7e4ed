import type { ChatEntry, ChatList } from './schema.ts';

/** Where a page of a list begins: behind the entry with this moment and id. */
export type Place = { at: Date; id: string };

export const placeText = ({ at, id }: Place): string => `${at.getTime()}_${id}`;

/** From what `placeText` has made. */
export function placeFrom(text: string): Place {
  const [ms = '', id = ''] = text.split('_');
  return { at: new Date(Number(ms)), id };
}

/** How many of a list: what was asked for within 1 to 100, and otherwise as many as usual. */
export function limitFrom(text: string | undefined, usual: number): number {
  const asked = Number(text ?? usual);
  return Math.min(Math.max(asked, 1), 100);
}

/** Whether a list shows a chat. `wasClosed` tells whether any session of the chat ever was. */
export function isListed(
  list: ChatList,
  { session, unread }: Pick<ChatEntry, 'session' | 'unread'>,
  { operatorId, wasClosed }: { operatorId: string; wasClosed: boolean },
): boolean {
  switch (list) {
    case 'mine':
      return session?.operator?.uuid === operatorId;
    case 'waiting':
      return session ? session.operator === null : unread > 0;
    case 'all':
      return true;
    case 'closed':
      return session === null && wasClosed;
  }
}
