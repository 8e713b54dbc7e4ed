import type { Member } from '../../access/auth/member.ts';
import { findDefaultCountry } from '../../access/projects/store.ts';
import { platforms } from '../../channels/contract/platforms.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { type ChatEntryRow, findEntries, findKnown, findListed } from './chats-store.ts';
import { presentEntry } from './present.ts';
import { isListed, limitFrom, placeFrom, placeText } from './rules.ts';
import { type ChatList, ChatPage, ChatsQuery } from './schema.ts';

const usualLimit = 30;
/** The most chats that a search returns. */
const mostFound = 100;

/** GET /chat-center/api/chats/: a list, or its chats whose client matches a text. */
export const listChats = actionFor<Member>()({
  query: ChatsQuery,
  response: ChatPage,
  handle: async ({ context, principal, query: { list = 'all', search, limit: asked, before } }) => {
    if (search !== undefined) return searchIn(context, principal, list, search);
    const limit = limitFrom(asked, usualLimit);
    const place = before === undefined ? null : placeFrom(before);
    const found = await findListed(context.sql, list, { ...principal, before: place, limit: limit + 1 });
    const listed = found.slice(0, limit);
    const last = listed.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return {
      results: (await entriesOf(context, principal, listed)).map(presentEntry),
      next: isMore ? placeText({ at: last.place_at, id: last.place_id }) : null,
    };
  },
});

async function searchIn(context: Context, member: Member, list: ChatList, search: string): Promise<ChatPage> {
  const text = search.trim();
  if (text === '') return { results: [], next: null };
  const country = await findDefaultCountry(context.sql, member.projectId);
  const found = await findKnown(context.sql, member, { text, country, platforms, limit: mostFound });
  const rows = await entriesOf(context, member, found);
  const { operatorId } = member;
  const results = rows.flatMap((row) => {
    const entry = presentEntry(row);
    return isListed(list, entry, { operatorId, wasClosed: row.was_closed }) ? [entry] : [];
  });
  return { results, next: null };
}

/** In the order of the ids. */
async function entriesOf(
  { sql }: Pick<Context, 'sql'>,
  { projectId }: Member,
  ids: readonly { id: string }[],
): Promise<ChatEntryRow[]> {
  const rows = await findEntries(
    sql,
    projectId,
    ids.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}
