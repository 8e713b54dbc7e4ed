import type { Pool, Sql } from '../../platform/database/database.ts';
import type { Platform } from '../contract/platforms.ts';

export type ChannelRow = {
  project_id: string;
  id: string;
  /** Any text: a newer release may have added the channel. */
  platform: string;
  name: string;
  settings: Record<string, unknown>;
  sealed_settings: Buffer;
  state: 'unfinished' | 'active' | 'paused';
  /** The provider's first call to its address. */
  called_at: Date | null;
};

export type NewChannelRow = {
  projectId: string;
  id: string;
  platform: Platform;
  name: string;
  /** A JSON object. */
  settings: string;
  sealedSettings: Buffer;
  /** The provider's documented rate in messages per second. */
  rate: number | null;
  createdAt: Date;
};

/** Inserts the channel, unfinished, and its pace, which starts at the provider's documented rate. */
export async function insertChannel(sql: Sql, channel: NewChannelRow): Promise<void> {
  await sql`
    with channel as (
      insert into channels (project_id, id, platform, name, settings, sealed_settings, state, created_at)
      values (${channel.projectId}, ${channel.id}, ${channel.platform}, ${channel.name},
        ${channel.settings}::text::jsonb, ${channel.sealedSettings}, 'unfinished', ${channel.createdAt})
      returning project_id, id, created_at
    )
    insert into channel_pace (project_id, channel_id, rate, rate_ceiling, tokens_at, resume_at, window_at)
    select project_id, id, ${channel.rate}::float8, ${channel.rate}::float8, created_at, created_at, created_at
    from channel`;
}

const channelColumns = (sql: Sql) => sql`
  project_id, id, platform, name, settings, sealed_settings, state, called_at`;

export async function findChannel(sql: Sql, id: string): Promise<ChannelRow | null> {
  const [row] = await sql<ChannelRow[]>`select ${channelColumns(sql)} from channels where id = ${id}`;
  return row ?? null;
}

/** Locks it until the transaction ends. */
export async function findChannelToChange(sql: Sql, id: string): Promise<ChannelRow | null> {
  const [row] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where id = ${id} for no key update`;
  return row ?? null;
}

/** Each of these, in their order. Null for a missing one. */
export async function findChannelsById(sql: Sql, ids: readonly string[]): Promise<(ChannelRow | null)[]> {
  const rows = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where id = any (${[...ids]}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** The finished channels of every project, oldest first. */
export function findChannels(sql: Sql): Promise<ChannelRow[]> {
  return sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels
    where state <> 'unfinished'
    order by id`;
}

/** Those of a project on a platform, also unfinished ones. */
export function findChannelsOf(sql: Sql, projectId: string, platform: Platform): Promise<ChannelRow[]> {
  return sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where project_id = ${projectId} and platform = ${platform} order by id`;
}

export async function renameChannel(
  sql: Sql,
  { projectId, id, name }: Pick<NewChannelRow, 'projectId' | 'id' | 'name'>,
): Promise<void> {
  await sql`update channels set name = ${name} where project_id = ${projectId} and id = ${id}`;
}

export async function saveChannel(
  sql: Sql,
  channel: Pick<NewChannelRow, 'projectId' | 'id' | 'name' | 'settings' | 'sealedSettings'>,
): Promise<void> {
  await sql`
    update channels set name = ${channel.name}, settings = ${channel.settings}::text::jsonb,
      sealed_settings = ${channel.sealedSettings}
    where project_id = ${channel.projectId} and id = ${channel.id}`;
}

type ChannelKey = Pick<NewChannelRow, 'projectId' | 'id'>;

/** A channel is complete, and works from now on. */
export async function finishChannel(sql: Sql, { projectId, id }: ChannelKey): Promise<void> {
  await sql`
    update channels set state = 'active' where project_id = ${projectId} and id = ${id} and state = 'unfinished'`;
}

/** The provider has called the channel's address. Only the first call counts. */
export async function noteCall(sql: Sql, { projectId, id }: ChannelKey, now: Date): Promise<void> {
  await sql`
    update channels set called_at = ${now} where project_id = ${projectId} and id = ${id} and called_at is null`;
}

/** Removes unfinished channels that were begun before that time: one of them, or all. */
export async function deleteUnfinished(sql: Sql, before: Date, id: string | null = null): Promise<void> {
  await sql`
    with gone as (
      select project_id, id from channels
      where state = 'unfinished' and created_at <= ${before} and (${id}::uuid is null or id = ${id})
      for update
    ),
    pace as (delete from channel_pace using gone where channel_pace.channel_id = gone.id)
    delete from channels using gone where channels.project_id = gone.project_id and channels.id = gone.id`;
}

/** The channel's credentials were refused: nothing more is sent until a person resumes it. */
export async function pauseRefusedChannel(sql: Sql, channelId: string, detail: string): Promise<void> {
  await sql`update channels set state = 'paused', state_detail = ${detail} where id = ${channelId} and state = 'active'`;
}

/** Pauses an active channel on behalf of a person. A pause for refused credentials keeps its reason. */
export async function pauseChannel(sql: Sql, projectId: string, id: string, by: string): Promise<void> {
  await sql`
    update channels set state = 'paused', paused_by = ${by}
    where project_id = ${projectId} and id = ${id} and state = 'active'`;
}

export async function resumeChannel(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`
    update channels set state = 'active', state_detail = '', paused_by = null
    where project_id = ${projectId} and id = ${id} and state = 'paused'`;
}

/**
 * False for a channel with chats, or for a missing one. The lock waits for a client's first message, so that the next
 * statement sees its chat.
 */
export function deleteChannel(sql: Pool, projectId: string, id: string): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await transaction`select id from channels where project_id = ${projectId} and id = ${id} for update`;
    const rows = await transaction`
      with gone as (
        select project_id, id from channels
        where project_id = ${projectId} and id = ${id}
          and not exists (select from chats where chats.project_id = channels.project_id and channel_id = channels.id)
      ),
      pace as (delete from channel_pace using gone where channel_pace.channel_id = gone.id),
      cursors as (
        delete from channel_cursors using gone
        where channel_cursors.project_id = gone.project_id and channel_cursors.channel_id = gone.id
      )
      delete from channels using gone where channels.project_id = gone.project_id and channels.id = gone.id
      returning 1`;
    return rows.length > 0;
  });
}
