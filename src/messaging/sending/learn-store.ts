import type { Sql } from '../../platform/database/database.ts';
import { forgottenAfterMs, type Lesson, type Window } from './limits.ts';

export type PaceRow = Window & { project_id: string };

/** The running window of a channel, these refusals included. Its row stays locked until the transaction ends. */
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

/** Those of these chats that had a message since then. */
export async function chatsSentTo(
  sql: Sql,
  projectId: string,
  chats: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select asked.id from unnest(${[...chats]}::uuid[]) as asked (id)
    cross join lateral (
      select sent_at from messages where project_id = ${projectId} and chat_id = asked.id order by id desc limit 20
    ) as latest
    group by asked.id having max(sent_at) > ${since}`;
  return rows.map(({ id }) => id);
}

/**
 * Pauses a channel, and writes what was learnt, if anything. Refusals of the calls that were under way when it was paused
 * teach nothing more.
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

/** What waits for a chat waits until then. Far more than a thousand messages ago nothing waits any more. */
export async function pauseChat(sql: Sql, projectId: string, chatId: string, until: Date): Promise<void> {
  await sql`
    with waiting as (
      select id from messages
      where project_id = ${projectId} and state = 'PENDING' and due_at < ${until} and id in (
        select id from messages where project_id = ${projectId} and chat_id = ${chatId} order by id desc limit 1000
      )
      order by id for update
    )
    update messages set due_at = ${until} from waiting
    where messages.project_id = ${projectId} and messages.id = waiting.id and state = 'PENDING'`;
}
