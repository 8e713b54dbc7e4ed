import { forgottenWaits } from '../../messaging/messages/mailing-counts-store.ts';
import { postponedMessages } from '../../messaging/messages/moves-store.ts';
import type { Sql } from '../../platform/database/database.ts';
import { columns, type LeasedMailing, type MailingRow } from '../planner-store.ts';
import { runPageCtes } from './run-page-store.ts';

/**
 * Makes the messages due that wait until quiet hours end, among the next ones of a run. `releasing` is null once all
 * were checked. Undefined when the lease is lost.
 */
export async function releaseChunk(
  sql: Sql,
  held: LeasedMailing,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const { project_id, id } = held;
  const waiting = sql`due_at, is_queued and (leased_until is null or leased_until <= ${now}) as is_waiting`;
  const [row] = await sql<MailingRow[]>`
    with ${runPageCtes(sql, held, { key: 'releasing', columns: waiting, leaseUntil })},
    waiting as (
      select project_id, id from messages
      where project_id = ${project_id} and exists (select from turn) and id = any (array(
        select id from page where is_waiting and due_at in (
          select until from mailing_waits where project_id = ${project_id} and mailing_id = ${id} and until > ${now}
            -- What waits for its turn waits on.
            and until is distinct from ${held.finish_by}::timestamptz
        )
      ))
      order by id for update
    ),
    released as (${postponedMessages(sql, sql`waiting`, now)}),
    rested as (${forgottenWaits(sql, sql`(select project_id, id from turn where not exists (select from page))`)})
    select ${columns(sql)} from turn as mailings`;
  return row;
}
