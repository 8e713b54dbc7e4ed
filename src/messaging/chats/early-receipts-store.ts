import type { Receipt } from '../../channels/contract/capabilities.ts';
import type { Platform } from '../../channels/contract/platforms.ts';
import type { Sql } from '../../platform/database/database.ts';

type ChannelKey = { projectId: string; id: string };

export type EarlyReceipt = { provider_id: string; state: Receipt; detail: string };

/** Keeps receipts until their messages are known by the provider's ids. */
export async function keepEarly(
  sql: Sql,
  { projectId, id }: ChannelKey,
  receipts: readonly EarlyReceipt[],
  now: Date,
): Promise<void> {
  await sql`
    insert into early_receipts (project_id, channel_id, provider_id, state, detail, received_at)
    select distinct on (provider_id, state) ${projectId}::uuid, ${id}::uuid, provider_id, state, detail, ${now}::timestamptz
    from jsonb_to_recordset(${sql.json(receipts)}) as early (provider_id text, state text, detail text)
    order by provider_id, state
    on conflict do nothing`;
}

/** The receipts that were kept for these ids. */
export function findEarly(
  sql: Sql,
  { projectId, id }: ChannelKey,
  providerIds: readonly string[],
): Promise<EarlyReceipt[]> {
  return sql<EarlyReceipt[]>`
    select provider_id, state, detail from early_receipts
    where project_id = ${projectId} and channel_id = ${id} and provider_id = any (${[...providerIds]}::text[])`;
}

type Stranded = { project_id: string; channel_id: string; platform: Platform; provider_ids: string[] };

/** Kept receipts whose messages are known: the process that recorded them ended before it applied these. */
export const findStranded = (sql: Sql) => sql<Stranded[]>`
  select early.project_id, early.channel_id, channels.platform, array_agg(distinct early.provider_id) as provider_ids
  from early_receipts early
  join channels on channels.project_id = early.project_id and channels.id = early.channel_id
  where exists (
    select from messages
    where messages.project_id = early.project_id and messages.channel_id = early.channel_id
      and messages.provider_id = early.provider_id and messages.direction = 'out'
  )
  group by early.project_id, early.channel_id, channels.platform`;

/** Deletes receipts that their messages have. */
export async function dropEarly(
  sql: Sql,
  { projectId, id }: ChannelKey,
  receipts: readonly EarlyReceipt[],
): Promise<void> {
  await sql`
    delete from early_receipts using jsonb_to_recordset(${sql.json(receipts)}) as given (provider_id text, state text)
    where project_id = ${projectId} and channel_id = ${id}
      and early_receipts.provider_id = given.provider_id and early_receipts.state = given.state`;
}

/** A receipt for all messages to a client up to this number, or up to this time in milliseconds. */
export type EarlyMark = { chat: string; up_to: string; is_time: boolean; state: Receipt };

/** Keeps the highest number of each chat. */
export async function keepMarks(
  sql: Sql,
  { projectId, id }: ChannelKey,
  marks: readonly EarlyMark[],
  now: Date,
): Promise<void> {
  await sql`
    insert into early_marks (project_id, channel_id, chat_external_id, state, up_to, is_time, received_at)
    select ${projectId}::uuid, ${id}::uuid, chat, state, max(up_to), is_time, ${now}::timestamptz
    from jsonb_to_recordset(${sql.json(marks)}) as early (chat text, up_to numeric, is_time boolean, state text)
    group by chat, state, is_time order by chat, state
    on conflict (project_id, channel_id, chat_external_id, state)
    do update set up_to = excluded.up_to, received_at = excluded.received_at
    where early_marks.up_to < excluded.up_to`;
}

/** A message whose call was answered, and when it was called. */
export type AnsweredCall = { providerId: string; calledAt?: Date | undefined };

type FoundMark = { state: Receipt } & (
  | { chat: string; up_to: string; provider_id: null }
  | { provider_id: string }
);

/**
 * The marks that were kept and include these messages. A number stands for all messages up to it. A time is for single
 * messages: those whose calls had begun by then.
 */
export function findMarks(
  sql: Sql,
  { projectId, id }: ChannelKey,
  calls: readonly AnsweredCall[],
): Promise<FoundMark[]> {
  const providerIds = calls.map(({ providerId }) => providerId);
  const rows = calls.map(({ providerId: provider_id, calledAt }) => ({
    provider_id,
    called_ms: calledAt?.getTime() ?? null,
  }));
  return sql<FoundMark[]>`
    select distinct chat_external_id as chat, early_marks.state, up_to::text,
      case when is_time then messages.provider_id end as provider_id
    from messages
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    join early_marks on early_marks.project_id = chats.project_id and early_marks.channel_id = chats.channel_id
      and chat_external_id = chats.external_id
    join jsonb_to_recordset(${sql.json(rows)}) as calls (provider_id text, called_ms numeric)
      on calls.provider_id = messages.provider_id
    where messages.project_id = ${projectId} and messages.channel_id = ${id}
      and messages.provider_id = any (${providerIds}::text[])
      and case
        when is_time then called_ms <= up_to
        when messages.provider_id ~ '^[0-9]{1,40}$' then messages.provider_id::numeric <= up_to
      end`;
}

/** Deletes receipts from before that time. They belong to no message of ours. */
export async function forgetEarly(sql: Sql, before: Date): Promise<void> {
  await sql`delete from early_receipts where received_at < ${before}`;
}

/** The same for receipts up to a number. */
export async function forgetMarks(sql: Sql, before: Date): Promise<void> {
  await sql`delete from early_marks where received_at < ${before}`;
}
