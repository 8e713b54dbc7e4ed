import type { ProfileRow } from '../../../clients/profiles/present.ts';
import type { LatestChat } from './chats-store.ts';

type Known = Pick<ProfileRow, 'name' | 'phone_number' | 'email' | 'external_id'>;

/** A client's title in a list: a name, or else an address. Null if nothing is known. */
export function titleOf(profile: Known, chat: LatestChat | undefined): string | null {
  const { name, phone_number, email, external_id } = profile;
  const username = chat?.username && `@${chat.username}`;
  return name || chat?.name || username || phone_number || email || chat?.phone || external_id || null;
}
