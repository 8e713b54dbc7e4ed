import type { Platform } from '../../../channels/contract/platforms.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Pace } from './prediction.ts';

/** A channel and its pace. Rates are messages per second. */
export type ChannelRow = {
  id: string;
  name: string;
  platform: Platform;
  state: 'active' | 'paused';
  rate: number | null;
  rate_ceiling: number | null;
  resume_at: Date | null;
  /** Messages in its queue. More than `mostWaiting` count as that many. */
  waiting: number;
};

/** The known pace of a channel. */
export const paceOf = ({ rate, rate_ceiling, resume_at }: ChannelRow, now: Date): Pace => ({
  rate,
  ceiling: rate_ceiling,
  pauseSeconds: ((resume_at ?? now).getTime() - now.getTime()) / 1000,
});

const mostWaiting = 100_000;

export function findChannelPaces(
  sql: Sql,
  projectId: string,
  ids: readonly string[],
  now: Date,
): Promise<ChannelRow[]> {
  return sql<ChannelRow[]>`
    select channels.id, name, platform, state,
      pace_now(rate, rate_ceiling, learnt_until, ${now}) as rate, rate_ceiling, resume_at, (
      select count(*)::int from (
        select from messages where channel_id = channels.id and is_queued limit ${mostWaiting}
      ) as queue
    ) as waiting
    from channels
    left join channel_pace on channel_pace.project_id = channels.project_id and channel_id = channels.id
    where channels.project_id = ${projectId} and channels.id = any (${[...ids]}::uuid[])
    order by channels.id`;
}
