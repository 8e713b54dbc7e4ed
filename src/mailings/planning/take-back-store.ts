import { countedMoves, reactionsOf } from '../../messaging/messages/mailing-counts-store.ts';
import { cancelledMessages, fewMessages } from '../../messaging/messages/moves-store.ts';
import type { Sql } from '../../platform/database/database.ts';
import { columns, type LeasedMailing, type MailingRow } from '../planner-store.ts';
import { mostChanged, runPageCtes } from './run-page-store.ts';

/**
 * Cancels the waiting messages among the next ones of a stopped run. `taken_back` is null again once all were
 * checked. Undefined when the lease is lost.
 */
export async function takeBackChunk(
  sql: Sql,
  held: LeasedMailing,
  { reason, leaseUntil }: { reason: string; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    with ${runPageCtes(sql, held, { key: 'taken_back', columns: sql`state`, leaseUntil })},
    waiting as (
      select id from messages
      where project_id = ${held.project_id} and state = 'PENDING'
        and id = any (array(select id from page where state = 'PENDING'))
        and exists (select from turn)
      order by id for update
    ),
    cancelled as (
      ${cancelledMessages(sql, fewMessages(sql, { projectId: held.project_id, ids: sql`select id from waiting`, most: mostChanged }), reason)}
      returning messages.project_id, mailing_id, variant, 'PENDING' as before, state as after, ${reactionsOf(sql)}
    ),
    mailing_counted as (${countedMoves(sql, sql`cancelled`)})
    select ${columns(sql)}, (select count(*) from mailing_counted) as counted from turn as mailings`;
  return row;
}
