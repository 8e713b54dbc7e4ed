import type { Sql } from '../../platform/database/database.ts';
import type { Platform } from '../contract/platforms.ts';

/** Something that a person should look at. `detail` has the provider's words. */
export type Warning = {
  kind: 'refused' | 'unregistered' | 'trouble' | 'lapses' | 'stuck' | 'slow' | 'retrying' | 'failing';
  detail: string;
  at: string | null;
  /** This many messages of all `of` them. */
  count: number;
  of: number;
};

type ChannelKey = { projectId: string; id: string };

/** The channels that were not asked since. */
export async function findUnasked(sql: Sql, since: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from channels where state <> 'unfinished' and (asked_at is null or asked_at <= ${since}) order by id`;
  return rows.map(({ id }) => id);
}

type Answer = { told: readonly Warning[]; lapsesAt: Date | null; askedAt: Date };

/** Stores what the provider says of the channel. Returns the warnings that it replaces. */
export async function saveTold(
  sql: Sql,
  { projectId, id }: ChannelKey,
  { told, lapsesAt, askedAt }: Answer,
): Promise<Warning[]> {
  const [row] = await sql<{ told: Warning[] }[]>`
    with before as (
      select told from channels where project_id = ${projectId} and id = ${id} for no key update
    )
    update channels set told = ${sql.json(told)}::jsonb, lapses_at = ${lapsesAt}, asked_at = ${askedAt}
    from before where project_id = ${projectId} and id = ${id}
    returning before.told`;
  return row?.told ?? [];
}

/** The channel's settings have changed: its provider is asked anew. */
export async function forgetTold(sql: Sql, { projectId, id }: ChannelKey): Promise<void> {
  await sql`
    update channels set told = '[]', lapses_at = null, asked_at = null where project_id = ${projectId} and id = ${id}`;
}

export async function saveFound(sql: Sql, found: readonly { id: string; found: Warning[] }[]): Promise<void> {
  await sql`
    update channels set found = given.found
    from jsonb_to_recordset(${sql.json(found)}) as given (id uuid, found jsonb)
    where channels.id = given.id`;
}

export type Traffic = {
  id: string;
  project_id: string;
  platform: Platform;
  found: Warning[];
  /** The rate that is allowed, and the rate of the last full window. */
  rate: number | null;
  achieved: number;
  /** The last claim, and the end of the last wait that the provider asked for. */
  claimed_at: Date;
  resume_at: Date;
  /** A sample of the queue: its size, the messages that have failed several times with a reason, the oldest due one. */
  waiting: number;
  retried: number;
  retried_detail: string | null;
  oldest: Date | null;
  /** The chats whose messages have been due for long. */
  chats: number;
  failed: number;
  failed_detail: string | null;
};

/** The most rows of a queue that are read. */
const sampled = 10_000;

/** The calls of a message after which it counts as failing. */
const enoughCalls = 3;

/** The traffic of active channels. `failed` counts since `from`, and `oldest` was due before `due`. */
export function findTraffic(
  sql: Sql,
  { from, due, now }: { from: Date; due: Date; now: Date },
): Promise<Traffic[]> {
  return sql<Traffic[]>`
    select channels.id, channels.project_id, platform, found, pace_now(rate, rate_ceiling, learnt_until, ${now}) as rate,
      window_before as achieved, tokens_at as claimed_at, resume_at, queue.*, failures.*
    from channels
    join channel_pace pace on pace.project_id = channels.project_id and pace.channel_id = channels.id
    cross join lateral (
      select count(*)::int as waiting,
        count(*) filter (where attempts >= ${enoughCalls})::int as retried,
        mode() within group (order by state_detail) filter (where attempts >= ${enoughCalls}) as retried_detail,
        min(due_at) filter (where state = 'PENDING' and due_at <= ${due}) as oldest,
        count(distinct chat_id) filter (where state = 'PENDING' and due_at <= ${due})::int as chats
      from (
        select attempts, state, state_detail, due_at, chat_id from messages
        where channel_id = channels.id and is_queued limit ${sampled}
      ) queued
    ) queue
    cross join lateral (
      -- A message that was refused before its call is no failure of the channel.
      select (count(*) filter (where attempts > 0))::int as failed,
        mode() within group (order by state_detail) filter (where attempts > 0) as failed_detail
      from (
        select state_detail, attempts from messages
        where channel_id = channels.id and has_failed and due_at >= ${from}
        limit ${sampled}
      ) failures
    ) failures
    where channels.state = 'active' order by channels.id`;
}

/** The messages of a channel that were sent since `from`. Only the project's latest ones, made since `madeFrom`, are read. */
export async function countSent(
  sql: Sql,
  { project_id, id }: Pick<Traffic, 'project_id' | 'id'>,
  { from, madeFrom }: { from: Date; madeFrom: Date },
): Promise<number> {
  const [row] = await sql<[{ sent: number }]>`
    select count(*)::int as sent from (
      select channel_id, state, sent_at from messages
      where project_id = ${project_id} and id >= uuid_floor(${madeFrom}) order by id desc limit ${20 * sampled}
    ) latest
    where channel_id = ${id} and state in ('SENT', 'DELIVERED', 'READ') and sent_at >= ${from}`;
  return row.sent;
}

export type Unwell = {
  id: string;
  name: string;
  platform: Platform;
  project: string;
  state: 'active' | 'paused';
  state_detail: string;
  paused_by: string | null;
  told: Warning[];
  found: Warning[];
  lapses_at: Date | null;
};

/** The channels with warnings, and those that stopped by themselves. */
export function findUnwell(sql: Sql, soon: Date): Promise<Unwell[]> {
  return sql<Unwell[]>`
    select channels.id, channels.name, platform, projects.name as project, state, state_detail, paused_by, told, found,
      lapses_at
    from channels join projects on projects.id = channels.project_id
    where state <> 'unfinished' and (
      told <> '[]' or (found <> '[]' and state = 'active') or lapses_at <= ${soon}
      or (state = 'paused' and paused_by is null)
    )
    order by channels.id`;
}
