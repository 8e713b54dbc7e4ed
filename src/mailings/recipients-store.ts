import { templatePlatforms } from '../channels/registry.ts';
import type { Filter } from '../clients/filters/filter.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import type { ContentTypes, ListName } from './audience.ts';
import { conditionSql } from './filter-store.ts';

export type Choice = {
  projectId: string;
  list: ListName | null;
  filter: Filter | null;
  platforms: readonly string[];
  contentTypes: ContentTypes;
  /** A condition on a row of `chats` and its row of `profiles`. Null if any chat is allowed. */
  chats: Fragment | null;
  /** A further condition on a row of `profiles`. Null without one. */
  besides: Fragment | null;
};

/**
 * `best`: for each of `people`, an earlier CTE, the most recently active allowed chat. Of several lines that name a
 * person, the one that names this chat counts, or else the first.
 */
export function bestCte(sql: Sql, choice: Choice) {
  const { projectId, list, filter, platforms, contentTypes, chats, besides } = choice;
  return sql`
    best as (
      select ${list === null ? sql`` : sql`distinct on (profiles.id)`}
        profiles.id as profile_id, profiles.line, profiles.variables, chat.*,
        ${contentType(sql, contentTypes)} as content_type
      from people as profiles cross join lateral (
        select chats.id as chat_id, chats.channel_id, chats.platform from chats
        where chats.project_id = ${projectId} and chats.profile_id = profiles.id
          and chats.stopped_at is null and chats.platform = any (${[...platforms]}::text[])
          ${chats ? sql`and ${chats}` : sql``}
          ${filter ? sql`and ${conditionSql(sql, filter)}` : sql``}
        order by chats.last_active_at desc limit 1
      ) as chat
      ${besides ? sql`where ${besides}` : sql``}
      ${list === null ? sql`` : sql`order by profiles.id, chat.chat_id = profiles.only_chat desc nulls last, profiles.line`}
    )`;
}

const contentType = (sql: Sql, { asTemplate, elsewhere }: ContentTypes) => sql`
  case when platform = any (${[...templatePlatforms]}::text[]) then ${asTemplate}::text else ${elsewhere}::text end`;
