import type { Fragment } from 'postgres';
import { conditionSql } from '../mailings/filter-store.ts';
import type { Sql } from '../storage/database.ts';
import type { Held } from './mailing-store.ts';
import { isInArray } from './page-store.ts';
import { type Audience, type ContentTypes, contentTypesOf, platformsOf } from './rules.ts';

type Chosen = {
  audience: Audience;
  /** Chooses none of these lines or profiles, for this reason. */
  parkedFor: string | null;
};

/**
 * `chosen`: of each of `people` the most recently active chat that the mailing may go to, with the id and the type of its
 * message.
 */
export function recipientCtes(sql: Sql, held: Held, { audience, parkedFor }: Chosen): Fragment {
  const { filter } = audience;
  return sql`
    best as (
      select ${audience.list === null ? sql`` : sql`distinct on (profiles.id)`}
        profiles.id as profile_id, profiles.line, profiles.variables, chat.*
      from people as profiles cross join lateral (
        select chats.id as chat_id, chats.channel_id, chats.platform from chats
        where chats.project_id = ${held.project_id} and chats.profile_id = profiles.id
          and chats.stopped_at is null and chats.platform = any (${[...platformsOf(held)]}::text[])
          ${audience.list === 'phones' ? sql`and chats.id = profiles.only_chat` : sql``}
          ${filter ? sql`and ${conditionSql(sql, filter)}` : sql``}
        order by chats.last_active_at desc limit 1
      ) as chat
      where ${parkedFor === null} ${audience.isInArray ? sql`and ${isInArray(sql, held)}` : sql``}
      ${audience.list === null ? sql`` : sql`order by profiles.id, profiles.line`}
    ),
    chosen as (
      select best.*, ${contentType(sql, contentTypesOf(held))} as content_type,
        mailing_message_id(${held.started_at}, ${held.id}, ${held.run}, profile_id) as message_id
      from best
    )`;
}

const contentType = (sql: Sql, { onWhatsapp, elsewhere }: ContentTypes) =>
  sql`case when platform = 'Whatsapp' then ${onWhatsapp}::text else ${elsewhere}::text end`;

/** `problem`: the lines that reach nobody, and why. Whom the rest of the audience leaves out is none. */
export function problemCte(sql: Sql, held: Held, { audience, parkedFor }: Chosen): Fragment {
  const { list, filter, isInArray } = audience;
  if (list === null) {
    const line = sql`${(held.progress.problems ?? 0) + 1}::integer`;
    return sql`
      problem as (
        select ${line} as line, id::text as identifier, ${parkedFor}::text as reason from page
        where ${parkedFor !== null}
      )`;
  }
  if (parkedFor !== null) {
    return sql`problem as (select line, identifier, ${parkedFor}::text as reason from page)`;
  }
  const isAlone = filter === null && !isInArray;
  // Not joins: the planner takes a list for a short one, and would compare each line with each.
  return sql`
    problem as (
      select line, identifier,
        case when is_known then 'No chat of this client can be written to.' else 'Nobody is known by this.' end as reason
      from (
        select line, identifier, line in (select line from people) as is_known,
          line in (select line from people where people.id not in (select profile_id from chosen)) as is_unreached
        from page
      ) as told
      where not is_known or (${isAlone} and is_unreached)
    )`;
}
