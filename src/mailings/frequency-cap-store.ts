import type { Fragment, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import { type CapNow, type Caps, overCap, overTopicCap, type Twin } from './frequency-cap.ts';

/** Whether a row of `messages` is a mailing's, in this row of `chats`, and not older than `from`. */
const isOfMailing = (sql: Sql, { chat, from }: { chat: Fragment; from: Fragment }): Fragment => sql`
  messages.project_id = ${chat}.project_id and messages.chat_id = ${chat}.id and source = 'mailing'
    and messages.id >= uuid_floor(${from})`;

/** Whether it is of a mailing about this topic. */
const isAbout = (sql: Sql, topic: Fragment): Fragment => sql`
  exists (
    select from mailings
    where mailings.project_id = messages.project_id and mailings.id = messages.mailing_id and topic_id = ${topic}
  )`;

/** Whether it was sent after `since`, and counts. */
const hasReached = (sql: Sql, since: Fragment): Fragment =>
  sql`sent_at > ${since} and state <> 'UNDELIVERED'`;

/**
 * Whether a client has had as many mailings as allowed, of a topic if there is one. The index
 * `messages_awaiting_reaction` has a chat's mailings by the time of their sending, and `messages_history` its latest
 * messages. `from` limits the partitions. The limit keeps the planner from a join: without statistics it would compare
 * each chat with all mailings of the project.
 */
export const hasHadEnough = (
  sql: Sql,
  {
    projectId,
    profileId,
    cap: { most, since, from },
    topicId = null,
  }: { projectId: string; profileId: Fragment; cap: CapNow; topicId?: string | null },
): Fragment => sql`
  (
    select count(*) from chats as theirs cross join lateral (
      select from messages
      where ${isOfMailing(sql, { chat: sql`theirs`, from: sql`${from}` })} and ${hasReached(sql, sql`${since}`)}
        ${topicId === null ? sql`` : sql`and ${isAbout(sql, sql`${topicId}`)}`}
      limit ${most}
    ) as had
    where theirs.project_id = ${projectId} and theirs.profile_id = ${profileId}
  ) >= ${most}`;

/** Why a client has had enough mailings. Null if they have not. */
export function whyOver(
  sql: Sql,
  { topicId, ...theirs }: { projectId: string; profileId: Fragment; topicId: string | null },
  { cap, topicCap }: Caps,
): Fragment {
  const reasons = [
    ...(cap ? [sql`when ${hasHadEnough(sql, { ...theirs, cap })} then ${overCap}::text`] : []),
    ...(topicCap
      ? [sql`when ${hasHadEnough(sql, { ...theirs, cap: topicCap, topicId })} then ${overTopicCap}::text`]
      : []),
  ];
  return reasons.length === 0 ? sql`null::text` : sql`case ${reasons} end`;
}

/** The highest cap. */
const mostCounted = 100;

export type Capped = {
  project_id: string;
  id: string;
  profile_id: string;
  /** Only mailings about it count. Null for all. */
  topic_id: string | null;
  /** Of `CapNow`. */
  since: Date;
  from: Date;
};

/** For each of these messages the other mailings' messages that its client has had, or is getting now. */
export async function findOthers(sql: Sql, messages: readonly Capped[]): Promise<Map<string, Twin[]>> {
  const rows = messages.map(({ project_id, id, profile_id, topic_id, since, from }) => ({
    project_id,
    id,
    profile_id,
    topic_id,
    since: since.toISOString(),
    oldest: from.toISOString(),
  }));
  if (rows.length === 0) return new Map();
  const columns = sql`project_id uuid, id uuid, profile_id uuid, topic_id uuid, since timestamptz, oldest timestamptz`;
  const ofTheirs = sql`${isOfMailing(sql, { chat: sql`chats`, from: sql`few.oldest` })}
    and (few.topic_id is null or ${isAbout(sql, sql`few.topic_id`)})`;
  const others = await sql<(Twin & { of: string })[]>`
    select few.id as of, other.id, other.state
    from ${fewRows(sql, rows, 'few', columns)}
    join chats on chats.project_id = few.project_id and chats.profile_id = few.profile_id
    cross join lateral (
      (select id, state from messages where ${ofTheirs} and ${hasReached(sql, sql`few.since`)} limit ${mostCounted})
      union all
      (select id, state from messages where ${ofTheirs} and sent_at is null and state = 'IN_PROCESS' limit ${mostCounted})
    ) as other
    where other.id <> few.id`;
  return Map.groupBy(others, ({ of }) => of);
}
