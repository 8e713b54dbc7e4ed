import type { ChatEntry, ChatList } from './schema.ts';

/** The start of a page of a list: behind the entry with this time and id. */
export type Place = { at: Date; id: string };

/** A moment before the year 5139, and a uuid. */
export const placePattern = '^\\d{1,14}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export const placeText = ({ at, id }: Place): string => `${at.getTime()}_${id}`;

/** Reads the text that `placeText` has made. */
export function placeFrom(text: string): Place {
  const [ms = '', id = ''] = text.split('_');
  return { at: new Date(Number(ms)), id };
}

/** The size of a page: the requested one from 1 to 100, and otherwise the usual one. */
export function limitFrom(text: string | undefined, usual: number): number {
  const asked = Number(text ?? usual);
  return Math.min(Math.max(asked, 1), 100);
}

/** Whether a list shows a chat. `wasClosed` says whether any session of the chat was ever closed. */
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
