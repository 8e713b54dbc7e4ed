import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * Whether a row of `messages` may be removed. What is queued, what a scenario has yet to hear, and what a running
 * mailing still counts by its rows stays.
 */
export const isEnded = (sql: Sql, message: Fragment) => sql`
  ${message}.is_queued is not true
  and not exists (
    select from scenario_mail
    where scenario_mail.project_id = ${message}.project_id and scenario_mail.chat_id = ${message}.chat_id
      and message_id = ${message}.id
  )
  and not exists (
    select from mailings
    where mailings.project_id = ${message}.project_id and mailings.id = ${message}.mailing_id and stage is not null
      and mailings.run = ${message}.mailing_run
  )`;

/** Whether a partition still has a message that `isEnded` would keep. Reads indexes only. */
export const partHasWaiting = (sql: Sql, part: Fragment, { from, to }: { from: Date; to: Date }) => sql`
  exists (select from ${part} where is_queued)
  or exists (select from scenario_mail where message_id >= uuid_floor(${from}) and message_id < uuid_floor(${to}))
  or exists (select from mailings where stage is not null and started_at >= ${from} and started_at < ${to})`;

/** A statement that deletes the `given` messages, where they are still as given. `to` and `from` bound their ids. */
export const deletedMessages = (sql: Sql, given: Fragment, { from, to }: { from: Date; to: Date }) => sql`
  delete from messages using ${given} as given
  where messages.project_id = given.project_id and messages.id = given.id
    and messages.id >= uuid_floor(${from}) and messages.id < uuid_floor(${to})
    and messages is not distinct from given and ${isEnded(sql, sql`messages`)}
  returning messages.*`;
