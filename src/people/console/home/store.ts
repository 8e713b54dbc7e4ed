import { mayApprove } from '../../../mailings/approval-store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { rowCount } from '../../../platform/database/row-counts.ts';
import type { Home } from './schema.ts';

/** The number of most recently active chats that are searched for clients' messages. */
const lively = 20;

export type Steps = Home['steps'] & { is_demo: boolean; keys_end_at: Date | null };

/** The steps that were done at least once. In the demo's project only messages of its own client count as written. */
export async function findSteps(sql: Sql, projectId: string): Promise<Steps> {
  const [row] = await sql<[Steps]>`
    with own as (select chat_id from demos where project_id = ${projectId}),
    looked_at as (
      select chat_id as id from own
      union all
      (select id from chats where project_id = ${projectId} and not exists (select from own)
       order by last_active_at desc, id desc limit ${lively})
    )
    select
      exists (select from channels where project_id = ${projectId}) as channel,
      exists (
        select from looked_at where exists (
          select from messages where messages.project_id = ${projectId} and chat_id = looked_at.id and direction = 'in'
        )
      ) as written,
      ${rowCount(sql, projectId, 'messages', sql`'push'`)} > 0 as push,
      exists (select from scenarios where project_id = ${projectId}) as scenario,
      exists (select from mailings where project_id = ${projectId} and run > 0) as mailing,
      exists (select from own) as is_demo,
      (select keys_end_at from demos where project_id = ${projectId}) as keys_end_at`;
  return row;
}

/** The most recently active clients, each with the best known name. */
export function lastClients(sql: Sql, projectId: string): Promise<Home['clients']> {
  return sql<Home['clients']>`
    select chats.id as chat, platform,
      coalesce(profiles.name, chats.name, phone_number, chats.phone, username, chats.external_id) as name
    from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = profile_id
    where chats.project_id = ${projectId}
    order by last_active_at desc, chats.id desc limit 5`;
}

/** The newest mailings that wait for the approval of this person. */
export function findApprovals(sql: Sql, projectId: string, readerId: string): Promise<Home['approvals']> {
  return sql<Home['approvals']>`
    select mailings.id as uuid, mailings.name, asked.author_name as author, iso(asked.created_at) as at
    from mailings cross join lateral (
      select author_name, created_at from mailing_approvals
      where mailing_approvals.project_id = mailings.project_id and mailing_id = mailings.id and kind = 'asked'
      order by mailing_approvals.id desc limit 1
    ) as asked
    where mailings.project_id = ${projectId} and ${mayApprove(sql, projectId, readerId)}
    order by mailings.id desc limit 20`;
}

/** Stopped channels that no person paused, disabled webhooks, and mailings of the last week that failed. */
export function findTroubles(sql: Sql, projectId: string, weekAgo: Date): Promise<Home['troubles']> {
  return sql<Home['troubles']>`
    select 'channel_paused' as kind, id as uuid, name, state_detail as detail
    from channels where project_id = ${projectId} and state <> 'active' and paused_by is null
    union all
    select 'webhook_disabled', endpoints.id, coalesce(applications.name, url), coalesce(disabled_reason, '')
    from endpoints left join applications on applications.id = application_id
    where endpoints.project_id = ${projectId} and disabled_at is not null
    union all
    (
      select 'mailing_error', id, name, state_detail
      from mailings where project_id = ${projectId} and id >= uuid_floor(${weekAgo}) and state = 'error'
      order by id desc limit 5
    )`;
}
