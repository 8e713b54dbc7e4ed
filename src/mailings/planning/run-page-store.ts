import type { Fragment, Sql } from '../../platform/database/database.ts';
import { nilUuid } from '../../platform/id.ts';
import { type LeasedMailing, steppedMailing } from '../planner-store.ts';

/** All messages of a page may change, which takes about 50 ms. Meanwhile nobody else has the embedded database. */
export const mostChanged = 500;

/**
 * `page`: the next messages of a run, with these columns. `turn`: the mailing, if the lease is ours. Its progress names
 * the page's last message under `key`, and nothing once all were checked.
 */
export const runPageCtes = (
  sql: Sql,
  held: LeasedMailing,
  { key, columns, leaseUntil }: { key: 'taken_back' | 'releasing'; columns: Fragment; leaseUntil: Date },
): Fragment => sql`
  page as materialized (
    select id, ${columns} from messages
    where project_id = ${held.project_id} and mailing_id = ${held.id}
      and id > coalesce(${held.progress[key] || null}, uuid_floor(${held.started_at}), ${nilUuid}::uuid)
    order by id limit ${mostChanged}
  ),
  turn as (
    ${steppedMailing(sql, held, {
      progress: sql`jsonb_build_object(${key}::text, (select id from page order by id desc limit 1), 'tries', 0)`,
      leaseUntil,
    })}
    returning *
  )`;
