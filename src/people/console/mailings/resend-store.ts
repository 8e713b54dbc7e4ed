import { hasList, whyNot } from '../../../clients/consent/refusal-store.ts';
import type { Sql } from '../../../platform/database/database.ts';

/** The maximum for a list of identifiers. */
export const mostResent = 100_000;

type Run = { projectId: string; id: string; startedAt: Date; topicId: string | null };

/**
 * `failed`: the failed messages of a run, with their recipients. `is_refused` marks recipients who blocked us or
 * asked us to stop, or left mailings or their topic. `is_reached` marks those who have, or will get, the mailing in another chat.
 */
const failedCte = (sql: Sql, { projectId, id, startedAt, topicId }: Run) => {
  const client = { projectId: sql`chats.project_id`, profileId: sql`chats.profile_id` };
  const rule = {
    topicId: topicId === null ? null : sql`${topicId}::uuid`,
    hasList: hasList(sql, sql`${projectId}`),
  };
  return sql`
  failed as (
    select failed.*, exists (
      select from chats others
      join messages twin on twin.project_id = others.project_id and twin.chat_id = others.id
      where others.project_id = ${projectId} and others.profile_id = failed.profile_id and others.id <> failed.chat_id
        and twin.id >= uuid_floor(${startedAt}) and twin.mailing_id = ${id}
        and twin.state in ('PENDING', 'IN_PROCESS', 'SENT', 'DELIVERED', 'READ')
    ) as is_reached
    from (
      select chats.id as chat_id, chats.profile_id, state_detail, content -> 'variables' as variables,
        chats.stopped_at is not null
          or ${whyNot(sql, client, rule)} is not null as is_refused
      from messages
      join chats on chats.project_id = messages.project_id and chats.id = chat_id
      where messages.project_id = ${projectId} and mailing_id = ${id} and has_failed
        and messages.id >= uuid_floor(${startedAt})
      order by messages.id limit ${mostResent + 1}
    ) as failed
  )`;
};

export type FailuresRow = {
  reasons: { reason: string; count: number }[];
  resendable: number;
  refused: number;
};

export async function findFailures(sql: Sql, run: Run): Promise<FailuresRow> {
  const [row] = await sql<[FailuresRow]>`
    with ${failedCte(sql, run)}
    select
      coalesce((
        select jsonb_agg(told order by count desc, reason) from (
          select state_detail as reason, count(*) as count from failed group by 1 order by 2 desc, 1 limit 20
        ) as told
      ), '[]') as reasons,
      (select count(distinct profile_id)::int from failed where not is_refused and not is_reached) as resendable,
      (select count(*)::int from failed where is_refused) as refused`;
  return row;
}

export type Again = { chat_id: string; variables: { [name: string]: string } | null };

/** The chats for a resend, one for each client, with their line of the file. */
export function findAgain(sql: Sql, run: Run): Promise<Again[]> {
  return sql<Again[]>`
    with ${failedCte(sql, run)}
    select distinct on (profile_id) chat_id, variables from failed
    where not is_refused and not is_reached
    order by profile_id`;
}
