import { forgottenWaits } from '../../messaging/messages/mailing-counts-store.ts';
import { postponedMessages } from '../../messaging/messages/moves-store.ts';
import type { Sql } from '../../platform/database/database.ts';
import { noUuid } from '../people-store.ts';
import { columns, type LeasedMailing, type MailingRow, steppedMailing } from '../planner-store.ts';

/** The rows that a statement checks. */
const lookedAt = 5_000;

/**
 * Makes the messages due that wait until quiet hours end, among the next ones of a run. `releasing` is null once all
 * were checked. Undefined when the lease is lost.
 */
export async function releaseChunk(
  sql: Sql,
  held: LeasedMailing,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const { project_id, id, started_at, progress } = held;
  const [row] = await sql<MailingRow[]>`
    with page as materialized (
      select id, due_at, is_queued and (leased_until is null or leased_until <= ${now}) as is_waiting from messages
      where project_id = ${project_id} and mailing_id = ${id}
        and id > coalesce(${progress.releasing || null}, uuid_floor(${started_at}), ${noUuid}::uuid)
      order by id limit ${lookedAt}
    ),
    turn as (
      ${steppedMailing(sql, held, {
        progress: sql`jsonb_build_object('releasing', (select id from page order by id desc limit 1), 'tries', 0)`,
        leaseUntil,
      })}
      returning *
    ),
    waiting as (
      select project_id, id from messages
      where project_id = ${project_id} and exists (select from turn) and id = any (array(
        select id from page where is_waiting and due_at in (
          select until from mailing_waits where project_id = ${project_id} and mailing_id = ${id} and until > ${now}
        )
      ))
      order by id for update
    ),
    released as (${postponedMessages(sql, sql`waiting`, now)}),
    rested as (${forgottenWaits(sql, sql`(select project_id, id from turn where not exists (select from page))`)})
    select ${columns(sql)} from turn as mailings`;
  return row;
}
