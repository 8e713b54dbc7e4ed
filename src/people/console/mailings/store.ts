import { type Rest, restOf } from '../../../mailings/ab-test/rest-store.ts';
import { mayApprove, type SentScenario, sentScenarios } from '../../../mailings/approval-store.ts';
import type { ContentType, MailingState } from '../../../mailings/schema.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { idsOfPage } from '../../../platform/database/page.ts';
import type { Slice } from '../../../platform/outbound/nearer-end.ts';
import type { MailingSummary } from './schema.ts';

/** Columns of `mailings`, and the sums of `mailing_counts`. */
export type SummaryRow = {
  id: string;
  name: string;
  state: MailingState;
  state_detail: string;
  approval: 'awaited' | 'given' | null;
  stage: MailingSummary['stage'];
  content_type: ContentType;
  regular_cron: string | null;
  created_at: Date;
  due_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  has_identifiers: boolean;
  run: number;
  rate: number | null;
  seconds_left: number | null;
  problems: number;
  rests: Rest | null;
  counts: {
    planned: number;
    sent: number;
    delivered: number;
    read: number;
    undelivered: number;
    cancelled: number;
  };
};

const columns = (sql: Sql) => sql`
  id, name, state, state_detail, approval, stage, content_type, regular_cron, created_at, due_at, started_at, completed_at,
  has_identifiers, run, (progress ->> 'rate')::float8 as rate, (progress ->> 'seconds_left')::float8 as seconds_left,
  coalesce((progress ->> 'problems')::integer, 0) as problems, ${restOf(sql)} as rests,
  (
    select jsonb_build_object(
      'planned', coalesce(sum(planned), 0), 'sent', coalesce(sum(sent), 0), 'delivered', coalesce(sum(delivered), 0),
      'read', coalesce(sum(read), 0), 'undelivered', coalesce(sum(undelivered), 0),
      'cancelled', coalesce(sum(cancelled), 0)
    )
    from mailing_counts where project_id = mailings.project_id and mailing_id = mailings.id
  ) as counts`;

/** Newest first, of `count` mailings. */
export function summariesPage(
  sql: Sql,
  projectId: string,
  count: number,
  page: Slice,
): Promise<SummaryRow[]> {
  const rows = sql`select id from mailings where project_id = ${projectId}`;
  return sql<SummaryRow[]>`
    select ${columns(sql)} from mailings
    where project_id = ${projectId} and id = any (${idsOfPage(sql, rows, count, page)})
    order by id desc`;
}

export function summariesOf(sql: Sql, projectId: string, ids: readonly string[]): Promise<SummaryRow[]> {
  return sql<SummaryRow[]>`
    select ${columns(sql)} from mailings
    where project_id = ${projectId} and id = any (${[...ids]}::uuid[])
    order by id desc`;
}

/** The mailings that wait for the approval of this person. */
export async function countApprovals(sql: Sql, projectId: string, readerId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from mailings
    where project_id = ${projectId} and ${mayApprove(sql, projectId, readerId)}`;
  return row.count;
}

/** Names are not searched further back. */
const searched = 10_000;

/** The newest mailings with this text in their name, among the newest ten thousand. */
export async function idsNamed(sql: Sql, projectId: string, search: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from (
      select id, name from mailings where project_id = ${projectId} order by id desc limit ${searched}
    ) as newest
    where strpos(lower(name), lower(${search})) > 0
    order by id desc`;
  return rows.map(({ id }) => id);
}

export type Quiet = { count: number; first_at: string; last_at: string };

/** The messages of a running mailing that wait until quiet hours end. Null without any. */
export async function findQuiet(sql: Sql, projectId: string, id: string, now: Date): Promise<Quiet | null> {
  const [row] = await sql<Quiet[]>`
    select sum(messages)::int as count, iso(min(until)) as first_at, iso(max(until)) as last_at
    from mailing_waits
    where project_id = ${projectId} and mailing_id = ${id} and until > ${now} and exists (
      select from mailings
      where mailings.project_id = ${projectId} and mailings.id = ${id} and mailings.state = 'in_process'
    )
    having sum(messages) > 0`;
  return row ?? null;
}

export type Finish = { by: string; per_second: number | null; is_kept: boolean };

/** The pace of a mailing that is spread until a moment, beside what its active channels can send. Null without one. */
export async function findFinish(sql: Sql, projectId: string, id: string, now: Date): Promise<Finish | null> {
  const [row] = await sql<Finish[]>`
    select iso(finish_by) as by, per_second, per_second is null or coalesce((
      select bool_or(pace is null) or sum(pace) >= per_second
      from channels
      left join channel_pace on channel_pace.project_id = channels.project_id and channel_id = channels.id
      cross join pace_now(rate, rate_ceiling, learnt_until, ${now}) as known (pace)
      where channels.project_id = ${projectId} and channels.state = 'active' and channels.platform in (
        select platform from mailing_platforms where project_id = ${projectId} and mailing_id = ${id}
      )
    ), false) as is_kept
    from mailings cross join lateral (
      select case when state = 'in_process' and finish_by > ${now}
        then nullif((progress ->> 'held')::float8, 0) / extract(epoch from finish_by - ${now}::timestamptz)::float8
      end as per_second
    ) as pace
    where project_id = ${projectId} and id = ${id} and finish_by is not null`;
  return row ?? null;
}

export type OverrideRow = {
  quiet_hours: boolean;
  cap: boolean;
  reason: string;
  author: string | null;
  at: string;
};

export type ApprovalRow = {
  is_awaited: boolean;
  revision: number;
  scenarios: SentScenario[];
  may_approve: boolean;
  may_change: boolean;
  log: { kind: 'asked' | 'approved'; author: string | null; at: string }[];
};

/** The project's rules that a mailing obeys, what it was allowed, and its approval. */
export type Rules = {
  obeys: { quiet_hours: boolean; cap: boolean };
  overrides: OverrideRow[];
  approval: ApprovalRow | null;
};

/** @param readerId Who may approve, or not. */
export async function findRules(
  sql: Sql,
  projectId: string,
  id: string,
  readerId: string,
): Promise<Rules | undefined> {
  const [row] = await sql<Rules[]>`
    select
      case when approval is not null then jsonb_build_object(
        'is_awaited', approval = 'awaited' and state = 'planned',
        'revision', revision,
        'scenarios', ${sentScenarios(sql)},
        'may_approve', ${mayApprove(sql, projectId, readerId)},
        'may_change', state = 'planned' and run = 0 and not has_identifiers,
        'log', coalesce((
          select jsonb_agg(told order by at, kind desc) from (
            select kind, author_name as author, iso(created_at) as at from mailing_approvals
            where project_id = ${projectId} and mailing_id = ${id}
          ) as told
        ), '[]')
      ) end as approval,
      jsonb_build_object(
        'quiet_hours', quiet_from is not null and not ignores_quiet_hours,
        'cap', not ignores_cap and (cap_messages is not null or exists (
          select from topics
          where topics.project_id = mailings.project_id and topics.id = topic_id and topics.cap_messages is not null
        ))
      ) as obeys,
      coalesce((
        select jsonb_agg(told order by at) from (
          select quiet_hours, cap, reason, author_name as author, iso(created_at) as at from mailing_overrides
          where project_id = ${projectId} and mailing_id = ${id}
        ) as told
      ), '[]') as overrides
    from mailings join projects on projects.id = mailings.project_id
    where mailings.project_id = ${projectId} and mailings.id = ${id}`;
  return row;
}

export type RunRow = {
  run: number;
  started_at: Date;
  planned: number;
  sent: number;
  undelivered: number;
  cancelled: number;
};

/** The last hundred runs, newest first. Each has the counts from its beginning to the beginning of the next one. */
export function findRuns(sql: Sql, projectId: string, id: string): Promise<RunRow[]> {
  const since = (column: 'planned' | 'sent' | 'undelivered' | 'cancelled') => sql`
    (coalesce(lead(mailing_runs.${sql(column)}) over in_order, total.${sql(column)}) - mailing_runs.${sql(column)})::int
      as ${sql(column)}`;
  return sql<RunRow[]>`
    select run, started_at, ${since('planned')}, ${since('sent')}, ${since('undelivered')}, ${since('cancelled')}
    from (
      select * from mailing_runs where project_id = ${projectId} and mailing_id = ${id} order by run desc limit 100
    ) as mailing_runs
    cross join (
      select coalesce(sum(planned), 0) as planned, coalesce(sum(sent), 0) as sent,
        coalesce(sum(undelivered), 0) as undelivered, coalesce(sum(cancelled), 0) as cancelled
      from mailing_counts where project_id = ${projectId} and mailing_id = ${id}
    ) as total
    window in_order as (order by run)
    order by run desc`;
}

export type ProblemRow = { list: string; line: number; identifier: string; reason: string };

/** The listed problems of the last run. */
export function findProblems(sql: Sql, projectId: string, id: string): Promise<ProblemRow[]> {
  return sql<ProblemRow[]>`
    select list, line, identifier, reason from mailing_problems
    where project_id = ${projectId} and mailing_id = ${id}
    order by run desc, list, line limit 1000`;
}
