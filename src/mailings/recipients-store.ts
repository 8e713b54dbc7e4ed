import { templatePlatforms } from '../channels/registry.ts';
import { hasList, mayReach } from '../clients/consent/refusal-store.ts';
import type { Filter } from '../clients/filters/filter.ts';
import { mostWork, TooMuchWork } from '../clients/filters/work.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';
import type { ContentTypes, ListName } from './audience.ts';
import { conditionSql } from './filter-store.ts';
import { workOf } from './filter-work.ts';
import { longestPrefix, type QuietEnds } from './quiet-hours.ts';

export type Choice = {
  projectId: string;
  list: ListName | null;
  filter: Filter | null;
  /** The mailing's topic. Null without one. */
  topicId: string | null;
  platforms: readonly string[];
  contentTypes: ContentTypes;
  /** A condition on a row of `chats` and its row of `profiles`. Null if any chat is allowed. */
  chats: Fragment | null;
  /** A further condition on a row of `profiles`. Null without one. */
  besides: Fragment | null;
  /** Null without quiet hours. */
  quiet: QuietEnds | null;
  /** A further column, of a row of `profiles`. None if absent. */
  also?: Fragment;
};

/**
 * `best`: for each of `people`, an earlier CTE, the most recently active allowed chat. Of several lines that name a
 * person, the one that names this chat counts, or else the first. `quiet_until` is the end of the client's quiet hours.
 */
export function bestCte(sql: Sql, choice: Choice) {
  const { projectId, list, filter, topicId, contentTypes, besides, quiet, also } = choice;
  const client = { projectId: sql`profiles.project_id`, profileId: sql`profiles.id` };
  const rule = {
    topicId: topicId === null ? null : sql`${topicId}::uuid`,
    hasList: hasList(sql, sql`${projectId}`),
  };
  return sql`
    ${quiet ? sql`${quietCte(sql, quiet)},` : sql``}
    best as (
      select ${list === null ? sql`` : sql`distinct on (profiles.id)`}
        profiles.id as profile_id, profiles.line, profiles.variables, chat.*,
        ${contentType(sql, contentTypes)} as content_type ${also ? sql`, ${also}` : sql``},
        ${quiet ? quietUntil(sql) : sql`null::timestamptz`} as quiet_until
      from people as profiles cross join lateral (
        select chats.id as chat_id, chats.channel_id, chats.platform from chats
        where ${isPossible(sql, choice)}
          ${filter ? sql`and ${withinWork(sql, choice, filter)}` : sql``}
        order by chats.last_active_at desc, chats.id limit 1
      ) as chat
      where ${mayReach(sql, client, rule)} ${besides ? sql`and ${besides}` : sql``}
      ${list === null ? sql`` : sql`order by profiles.id, chat.chat_id = profiles.only_chat desc nulls last, profiles.line`}
    )`;
}

/** `quiet`: the ends of quiet hours, for `quietUntil`. */
export const quietCte = (sql: Sql, quiet: QuietEnds): Fragment =>
  sql`quiet as materialized (select ${sql.json(quiet)}::jsonb as ends)`;

/**
 * The end of the quiet hours for a row of `profiles`. Null if they are not now. The scalar query runs once in a
 * statement.
 */
export function quietUntil(sql: Sql): Fragment {
  const ends = sql`(select ends from quiet)`;
  const digits = Array.from({ length: longestPrefix - 1 }, (_, shorter) => longestPrefix - shorter);
  const byPhone = digits.map((length) => sql`${ends} -> left(profiles.phone_number, ${length}),`);
  const byZone = sql`${ends} -> lower(profiles.timezone collate "C")`;
  return sql`(coalesce(${byZone}, ${byPhone} ${ends} -> '') #>> '{}')::timestamptz`;
}

/** Of the rows of `chats` and `profiles`: whether the mailing may go there, were it for the filter. */
const isPossible = (sql: Sql, { projectId, platforms, chats }: Choice): Fragment => sql`
  chats.project_id = ${projectId} and chats.profile_id = profiles.id
    and chats.stopped_at is null and chats.platform = any (${[...platforms]}::text[])
    ${chats ? sql`and ${chats}` : sql``}`;

/** The filter's work in characters for all of `people`. Null if it is always little. */
function unitsOf(sql: Sql, filter: Filter): Fragment | null {
  const { variables, attrs, tags } = workOf(filter);
  const parts = [
    ...(variables > 0 ? [sql`${variables}::numeric * ${sizeOf(sql, sql`chats.variables`)}`] : []),
    ...(attrs > 0 ? [sql`${attrs}::numeric * ${sizeOf(sql, sql`profiles.attrs`)}`] : []),
    ...(tags > 0 ? [sql`${tags}::numeric * ${sizeOf(sql, sql`profiles.tags`)}`] : []),
  ];
  return parts.length === 0 ? null : parts.reduce((sum, part) => sql`${sum} + ${part}`);
}

/** The size of a value in bytes. The stored size of a compressed value is too small. */
const sizeOf = (sql: Sql, value: Fragment): Fragment => sql`
  case when pg_column_compression(${value}) is null then pg_column_size(${value}) else octet_length(${value}::text) end`;

/** The filter's condition. The budget is checked once, before any comparison. */
function withinWork(sql: Sql, choice: Choice, filter: Filter): Fragment {
  const condition = conditionSql(sql, filter);
  const units = unitsOf(sql, filter);
  if (units === null) return condition;
  return sql`
    case when (
      select hold_to_work(coalesce(sum(${units}), 0), ${mostWork}) from people as profiles
      join chats on ${isPossible(sql, choice)}
    ) then ${condition} end`;
}

/** The outcome of a statement with `bestCte`. Throws `TooMuchWork` where its filter would look at more than it may. */
export async function heldToWork<Outcome>(statement: Promise<Outcome>): Promise<Outcome> {
  try {
    return await statement;
  } catch (error) {
    const isTooMuch = error instanceof Error && 'code' in error && error.code === 'PBWRK';
    throw isTooMuch ? new TooMuchWork(error.message) : error;
  }
}

const contentType = (sql: Sql, { asTemplate, elsewhere }: ContentTypes) => sql`
  case when platform = any (${[...templatePlatforms]}::text[]) then ${asTemplate}::text else ${elsewhere}::text end`;
