import type { Sql } from '../platform/database/database.ts';

/** Due messages of a channel in one lane. `due_since` is the due time of the oldest. */
export type LaneDepth = {
  project_id: string;
  channel_id: string;
  platform: string;
  lane: number;
  waiting: number;
  due_since: Date;
};

/** Reads the due part of the queue's index. Messages with a later launch do not count. */
export function laneDepths(sql: Sql, now: Date): Promise<LaneDepth[]> {
  return sql<LaneDepth[]>`
    select channels.project_id, channel_id, platform, lane, waiting, due_since
    from (
      select channel_id, lane, count(*)::int as waiting, min(due_at) as due_since from messages
      where is_queued and channel_id is not null and due_at <= ${now}
      group by channel_id, lane
    ) as lanes
    join channels on channels.id = channel_id
    order by channel_id, lane`;
}

export type ChannelState = {
  project_id: string;
  channel_id: string;
  platform: string;
  state: string;
  /** The allowed messages per second. Null if no limit is known. */
  rate: number | null;
};

export function channelStates(sql: Sql, now: Date): Promise<ChannelState[]> {
  return sql<ChannelState[]>`
    select channels.project_id, channels.id as channel_id, platform, state,
      pace_now(rate, rate_ceiling, learnt_until, ${now}) as rate
    from channels left join channel_pace on channel_pace.channel_id = channels.id
    where state <> 'unfinished'`;
}

/** Undelivered events of enabled webhooks. */
export type WebhookDepth = { waiting: number; due_since: Date | null };

export async function webhookDepth(sql: Sql): Promise<WebhookDepth> {
  const [row] = await sql<[WebhookDepth]>`
    select coalesce(sum(waiting), 0)::int as waiting, min(due_at) as due_since
    from event_queues join endpoints on endpoints.id = endpoint_id
    where waiting > 0 and disabled_at is null`;
  return row;
}

export type MailingDepth = { state: string; stage: string | null; mailings: number };

/** The mailings that the planner still works on. */
export function mailingDepths(sql: Sql): Promise<MailingDepth[]> {
  return sql<MailingDepth[]>`
    select state, stage, count(*)::int as mailings from mailings where due_at is not null group by state, stage`;
}
