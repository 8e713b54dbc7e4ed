import { postponedMessages } from '../../messaging/messages/moves-store.ts';
import type { Sql } from '../../platform/database/database.ts';
import { nilUuid } from '../../platform/id.ts';
import { columns, type LeasedMailing, type MailingRow, steppedMailing } from '../planner-store.ts';
import type { QuietEnds } from '../quiet-hours.ts';
import { quietCte, quietUntil } from '../recipients-store.ts';

/** The rows that a statement checks. Only few of them change. */
const lookedAt = 5_000;

type Turns = {
  /** At most this many messages, though `owed` has a fraction too. */
  most: number;
  owed: number;
  held: number;
  /** Null without quiet hours. */
  quiet: QuietEnds | null;
  now: Date;
  leaseUntil: Date;
};

/**
 * Gives the next messages that wait for their turn to sending. Passes over those that could not be sent now: their
 * client has quiet hours, or their channel pauses. `handing` is null once a round has seen all. Undefined when the lease is
 * lost.
 */
export async function handOverPage(
  sql: Sql,
  held: LeasedMailing,
  turns: Turns,
): Promise<MailingRow | undefined> {
  const { most, owed, quiet, now, leaseUntil } = turns;
  const { project_id, id, finish_by } = held;
  const [row] = await sql<MailingRow[]>`
    with ${quiet ? sql`${quietCte(sql, quiet)},` : sql``}
    page as materialized (
      select id, chat_id, is_queued and due_at = ${finish_by} as is_held from messages
      where project_id = ${project_id} and mailing_id = ${id}
        and id > coalesce(${held.progress.handing ?? null}, uuid_floor(${held.started_at}), ${nilUuid}::uuid)
      order by id limit ${lookedAt}
    ),
    -- 'offset 0': each client by its key. Otherwise the planner would read all clients of the project for a page.
    ready as materialized (
      select page.id from page
      cross join lateral (
        select profile_id, channel_id from chats
        where chats.project_id = ${project_id} and chats.id = page.chat_id offset 0
      ) as chats
      cross join lateral (
        select timezone, phone_number from profiles
        where profiles.project_id = ${project_id} and profiles.id = chats.profile_id offset 0
      ) as profiles
      join channels on channels.project_id = ${project_id} and channels.id = chats.channel_id
      left join channel_pace on channel_pace.channel_id = channels.id
      where is_held and channels.state = 'active' and coalesce(channel_pace.resume_at <= ${now}, true)
        ${quiet ? sql`and ${quietUntil(sql)} is null` : sql``}
      order by page.id limit ${most}
    ),
    turn as (
      ${steppedMailing(sql, held, {
        progress: sql`jsonb_build_object(
          'handing', (
            select id from (select count(*) = ${most} as is_full from ready) as told, page
            where not is_full or id in (select id from ready)
            order by id desc limit 1
          ),
          'held', ${turns.held}::integer - (select count(*) from ready), 'owed', ${owed}::float8 - (select count(*) from ready),
          'owed_at', ${now.getTime()}::bigint, 'tries', 0
        )`,
        leaseUntil,
      })}
      returning *
    ),
    waiting as (
      select project_id, id from messages
      where project_id = ${project_id} and id = any (array(select id from ready)) and exists (select from turn)
      order by id for update
    ),
    handed as (${postponedMessages(sql, sql`waiting`, now)} returning messages.id)
    select ${columns(sql)}, (select count(*) from handed) as handed from turn as mailings`;
  return row;
}
