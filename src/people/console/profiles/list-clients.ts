import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { presentProfile } from '../../../clients/profiles/present.ts';
import { searchReach } from '../../../clients/profiles/search-store.ts';
import { countProfiles, profilesPage } from '../../../clients/profiles/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { latestChats } from './chats-store.ts';
import { titleOf } from './present.ts';
import { ClientPage, ClientQuery } from './schema.ts';

/** GET /console/api/profiles/: the newest first, or those that match a search or a tag. */
export const listClients = actionFor<Member>()({
  query: ClientQuery,
  response: ClientPage,
  handle: async ({ context: { sql }, principal: { projectId }, query, request }) => {
    const page = pageOf(request);
    const text = query.search?.trim();
    const search = text ? { text, country: await findDefaultCountry(sql, projectId) } : undefined;
    const filters = { tag: query.tag, search };
    const count = await countProfiles(sql, projectId, filters);
    const rows = await profilesPage(sql, projectId, filters, count, page);
    const chats = await latestChats(
      sql,
      projectId,
      rows.map(({ id }) => id),
    );
    const clients = rows.map((row) => {
      const chat = chats.get(row.id);
      return {
        ...presentProfile(row),
        title: titleOf(row, chat),
        last_active_at: chat?.last_active_at.toISOString() ?? null,
      };
    });
    const is_partial = search !== undefined && count >= searchReach;
    return { ...page.envelope(count, clients), is_partial };
  },
});
