import type { Fragment, Sql } from '../../platform/database/database.ts';
import { forgottenAfterMs, type Lesson, type Window, windowSeconds } from './pace.ts';

/**
 * The seconds since a time of a channel. Another claim may have stored it after this one's `now`. If it is far ahead,
 * the clock of the database went back, and the time counts as long ago.
 */
export const secondsSince = (sql: Sql, time: Fragment, now: Date) => sql`
  (case when ${isFarAhead(sql, time, now)} then 3600
    else greatest(0, extract(epoch from ${now}::timestamptz - ${time})::float8) end)`;

const isFarAhead = (sql: Sql, time: Fragment, now: Date) => sql`
  ${time} > ${now}::timestamptz + interval '1 minute'`;

/**
 * A statement for a CTE of a claim, which has locked the channels' rows. `pace` has `channel_id`, `rate`, the current
 * tokens as `filled`, the seconds since the last claim as `rested`, and the seconds that the window `ran`. `taken` has
 * a row for each claimed message.
 */
export const spentPace = (sql: Sql, { pace, taken }: { pace: Fragment; taken: Fragment }, now: Date) => sql`
  update channel_pace set
    tokens = coalesce(pace.filled - taken.n, 0),
    tokens_at = case when ${isFarAhead(sql, sql`tokens_at`, now)} then ${now}::timestamptz
      else greatest(tokens_at, ${now}) end,
    claimed = channel_pace.claimed + taken.n,
    -- A channel that was slowed down finds its way back: a tenth a second to what it had achieved, then a fiftieth.
    rate = case when pace.rate * 1.02 > coalesce(rate_ceiling, 2000) then rate_ceiling
      else pace.rate * (
        1 + case when pace.rate < learnt then 0.1 else 0.02 end * least(1, rested)
      ) end,
    window_at = case when ran > ${windowSeconds} then ${now} else window_at end,
    window_count = case when ran > ${windowSeconds} then 0 else window_count end + taken.n,
    window_refused = case when ran > ${windowSeconds} then 0 else window_refused end,
    window_before = case when ran > 2 * ${windowSeconds} then 0
      when ran > ${windowSeconds} then (window_count - window_refused) / ran else window_before end
  from ${pace} as pace
  join (select channel_id, count(*)::int as n from ${taken} as claimed group by channel_id) as taken using (channel_id)
  where channel_pace.channel_id = pace.channel_id`;

export type PaceRow = Window & { project_id: string };

/** The current window of a channel, including these refusals. Its row stays locked until the transaction ends. */
export async function noteRefusals(
  sql: Sql,
  channelId: string,
  refusals: number,
  now: Date,
): Promise<PaceRow | undefined> {
  const [row] = await sql<PaceRow[]>`
    update channel_pace set window_refused = window_refused + ${refusals} where channel_id = ${channelId}
    returning project_id, pace_now(rate, rate_ceiling, learnt_until, ${now}) as rate, window_count as calls,
      window_refused as refused, extract(epoch from ${now}::timestamptz - window_at)::float8 as seconds,
      window_before as before`;
  return row;
}

/**
 * Pauses a channel, and stores the lesson, if any. Refusals of calls that were running at the pause teach nothing
 * more.
 */
export async function pausePace(
  sql: Sql,
  channelId: string,
  { until, lesson, window }: { until: Date; lesson: Lesson | null; window: Window },
  now: Date,
): Promise<void> {
  const { calls, refused, seconds } = window;
  const from = { at: now.toISOString(), calls, refused, seconds };
  const forgotten = new Date(now.getTime() + forgottenAfterMs);
  const learns = sql`(${lesson !== null} and resume_at <= ${now})`;
  await sql`
    update channel_pace set
      rate = case when ${learns} then ${lesson?.rate ?? null}
        else pace_now(rate, rate_ceiling, learnt_until, ${now}) end,
      learnt = case when ${learns} then ${lesson?.limit ?? null} when learnt_until > ${now} then learnt end,
      learnt_from = case when ${learns} then ${sql.json(from)}::jsonb when learnt_until > ${now} then learnt_from end,
      learnt_until = case when ${learns} or learnt_until > ${now} then ${forgotten}::timestamptz end,
      tokens = 0,
      tokens_at = ${now},
      resume_at = greatest(resume_at, ${until})
    where channel_id = ${channelId}`;
}
