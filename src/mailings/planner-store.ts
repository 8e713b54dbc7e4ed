import { endedWaits } from '../messaging/messages/mailing-counts-store.ts';
import type { Fragment, JSONValue, Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import type { Renewed } from '../platform/pump/leases.ts';
import type { Lane } from '../platform/pump/pump.ts';
import type { AbTest } from './ab-test/schema.ts';
import type { IdentifierField } from './identifiers.ts';

/** The columns of `mailing_counts` that show a run's progress. */
export type Counts = { planned: number; sent: number; undelivered: number; cancelled: number };

/** `mailings.progress`: the position of the stage for the time after a crash, and the figures of a run for people. */
export type Progress = {
  /** The last planned profile or line. Null before the first. */
  cursor?: string | number | null;
  /** Lines of the file that were stored. */
  lines?: number;
  /** The number of profiles or lines in one statement. */
  at_once?: number;
  /** The last message that was checked while taking back. Null before the first. */
  taken_back?: string | null;
  /** The last message that was checked while messages are released from quiet hours. Empty before the first. */
  releasing?: string | null;
  /** How often all of them were checked. */
  looks?: number;
  /** Consecutive failures of the present step. */
  tries?: number;
  /** Recipients that could not be planned. */
  parked?: number;
  /** Lines that reach no one. */
  problems?: number;
  /** Recipients counted so far, before any message is made for them. Null once the count is complete. */
  needed?: number | null;
  /** The mailing's counts before this run. */
  before?: Counts;
  /** With a moment to finish by: the messages that wait for their turn. */
  held?: number;
  /** The last message of which was seen whether it may have its turn. Null at the beginning of a round. */
  handing?: string | null;
  /** The messages whose turn it is, with a fraction, and the time of that figure in milliseconds since 1970. */
  owed?: number;
  owed_at?: number;
  /** Messages of this run, and those of them that were sent. */
  prepared?: number;
  sent?: number;
  /** Recent messages per second. Null while unknown. */
  rate?: number | null;
  seconds_left?: number | null;
  /** The time of the figures in milliseconds since 1970, and the number of finished messages then. */
  measured_at?: number;
  measured_done?: number;
  /** Of an A/B test with a sample: what is planned or sent now. Null without one. */
  part?: 'sample' | 'rest' | null;
  /** The moment of the decision in milliseconds since 1970. Absent until the sample is sent. */
  decide_at?: number;
  /** What the rest gets. */
  variant?: number;
  /** The time at which the run was last logged. */
  told_at?: number;
};

export type Stage = 'files' | 'planning' | 'sending' | 'stopping';

/** The columns of a mailing that its planner needs. */
export type MailingRow = {
  project_id: string;
  id: string;
  name: string;
  content_type: 'TEXT' | 'NODE' | 'TEMPLATE_WHATSAPP' | 'MIXED';
  text: string | null;
  node_id: number | null;
  filter_chats: JSONValue;
  customer_filter_field: IdentifierField | null;
  customer_filter_file: string | null;
  has_identifiers: boolean;
  phone_numbers_file: string | null;
  topic_id: string | null;
  origin: 'system' | 'chat_center';
  regular_cron: string | null;
  state: 'planned' | 'in_process' | 'completed' | 'stopped' | 'error';
  run: number;
  started_at: Date | null;
  /** The moment by which the mailing is done. Null without one. */
  finish_by: Date | null;
  ignores_quiet_hours: boolean;
  ignores_cap: boolean;
  ab_test: AbTest | null;
  stage: Stage | null;
  progress: Progress;
  lease: string | null;
};

/** A mailing leased by its planner. A write with a lost lease changes nothing. */
export type LeasedMailing = MailingRow & { lease: string };

export const columns = (sql: Sql) => sql`
  mailings.project_id, mailings.id, mailings.name, mailings.content_type, mailings.text, mailings.node_id,
  mailings.filter_chats, mailings.customer_filter_field, mailings.customer_filter_file, mailings.has_identifiers,
  mailings.phone_numbers_file, mailings.topic_id, mailings.origin, mailings.regular_cron, mailings.state, mailings.run,
  mailings.started_at, mailings.finish_by, mailings.ignores_quiet_hours, mailings.ignores_cap, mailings.ab_test,
  mailings.stage, mailings.progress, mailings.lease`;

/** The condition that the holder still has the lease, and that the state is unchanged. */
export const isHeld = (sql: Sql, { project_id, id, lease, state }: LeasedMailing) => sql`
  mailings.project_id = ${project_id} and mailings.id = ${id} and mailings.lease = ${lease} and mailings.state = ${state}`;

/** Steps without files are short, and share this lane. */
export const commonLane = 'mailings';

/** A file may take a minute to arrive. A project's slow files therefore delay only its own lane. */
export const laneOf = ({ stage, project_id }: Pick<MailingRow, 'stage' | 'project_id'>): string =>
  stage === 'files' ? project_id : commonLane;

const laneSql = (sql: Sql) => sql`case when stage = 'files' then project_id::text else ${commonLane} end`;

/** The lanes with mailings, and the due time of the next of each. */
export function dueLanes(sql: Sql): Promise<Lane[]> {
  return sql<Lane[]>`
    select key, min(due_at) as "dueAt"
    from (select ${laneSql(sql)} as key, due_at from mailings where due_at is not null) as waiting
    group by key`;
}

/** Leases up to `free` due mailings of a lane. */
export function claimMailings(
  sql: Sql,
  claim: { lane: string; free: number; lease: string; now: Date; leaseUntil: Date },
): Promise<LeasedMailing[]> {
  return sql<LeasedMailing[]>`
    update mailings set lease = ${claim.lease}, due_at = ${claim.leaseUntil}
    where (project_id, id) in (
      select project_id, id from mailings where due_at <= ${claim.now} and ${laneSql(sql)} = ${claim.lane}
      order by due_at limit ${claim.free} for update skip locked
    )
    returning ${columns(sql)}`;
}

/** Renews leases that are still held, and returns the positions of these. */
export async function renewMailings(
  sql: Sql,
  leased: readonly Pick<LeasedMailing, 'project_id' | 'id' | 'lease'>[],
  until: Date,
): Promise<Renewed[]> {
  const rows = leased.map(({ project_id, id, lease }, position) => ({ project_id, id, lease, position }));
  return await sql<Renewed[]>`
    with held as (
      select mailings.project_id, mailings.id, leased.position
      from ${fewRows(sql, rows, 'leased', sql`project_id uuid, id uuid, lease uuid, position int`)}
      join mailings on mailings.project_id = leased.project_id and mailings.id = leased.id
      where mailings.lease = leased.lease
      order by mailings.id for update of mailings
    )
    update mailings set due_at = ${until} from held
    where mailings.project_id = held.project_id and mailings.id = held.id
    returning held.position`;
}

/** The changes of a step. Absent fields stay unchanged, and `progress` is merged by key. */
export type Change = {
  state?: MailingRow['state'];
  detail?: string;
  stage?: Stage | null;
  completedAt?: Date;
  progress: Progress;
  /** The time of the planner's next look. Null for never. */
  dueAt: Date | null;
  /** Gives the mailing back. */
  ends?: boolean;
};

/**
 * A statement for a CTE: a step of the planner, while its lease holds. `progress` is merged into the mailing's. The
 * caller adds the `returning`.
 */
export const steppedMailing = (
  sql: Sql,
  held: LeasedMailing,
  { progress, stage, leaseUntil }: { progress: Fragment; stage?: Fragment; leaseUntil: Date },
) => sql`
  update mailings set ${stage ? sql`stage = ${stage},` : sql``} progress = progress || ${progress}, due_at = ${leaseUntil}
  where ${isHeld(sql, held)}`;

/**
 * A statement for a CTE: counts the mailing's messages by platform. Each of the `rows` has a `platform` and the
 * number `planned`.
 */
export const countedPlatforms = (
  sql: Sql,
  { projectId, mailingId }: { projectId: string; mailingId: string },
  rows: Fragment,
) => sql`
  insert into mailing_platforms as kept (project_id, mailing_id, platform, planned)
  select ${projectId}, ${mailingId}, platform, planned from ${rows} as counted order by platform
  on conflict (project_id, mailing_id, platform) do update set planned = kept.planned + excluded.planned`;

/** Undefined when the lease is lost. */
export async function writeStep(
  sql: Sql,
  held: LeasedMailing,
  change: Change,
): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    update mailings set
      state = ${change.state ?? held.state},
      state_detail = coalesce(${change.detail ?? null}, state_detail),
      stage = ${change.stage === undefined ? held.stage : change.stage},
      completed_at = coalesce(${change.completedAt ?? null}, completed_at),
      progress = progress || ${sql.json(change.progress)}::jsonb,
      due_at = ${change.dueAt},
      lease = ${change.ends ? null : held.lease}
    where ${isHeld(sql, held)}
    returning ${columns(sql)}`;
  return row;
}

/** People look at the last ones, and a schedule may run every minute. */
const keptRuns = 100;

/** Begins a mailing's next run and records it. The problem lines of the previous run are deleted. */
export async function beginRun(
  sql: Sql,
  held: LeasedMailing,
  begin: { stage: Stage; now: Date; before: Counts; progress: Progress; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const { planned, sent, undelivered, cancelled } = begin.before;
  const [row] = await sql<MailingRow[]>`
    with begun as (
      update mailings set
        state = 'in_process', state_detail = '', stage = ${begin.stage}, run = run + 1, started_at = ${begin.now},
        completed_at = null, progress = ${sql.json(begin.progress)}, due_at = ${begin.leaseUntil},
        -- Whoever approved the mailing saw the filter.
        filter_chats = coalesce((
          select filter from audiences
          where audiences.project_id = mailings.project_id and audiences.id = mailings.audience_id
            and mailings.approval is null
        ), filter_chats)
      where ${isHeld(sql, held)}
      returning *
    ),
    earlier as (
      delete from mailing_problems using begun
      where mailing_problems.project_id = begun.project_id and mailing_id = begun.id
    ),
    noted as (
      insert into mailing_runs (project_id, mailing_id, run, started_at, planned, sent, undelivered, cancelled)
      select project_id, id, run, started_at, ${planned}::integer, ${sent}::integer, ${undelivered}::integer,
        ${cancelled}::integer
      from begun
    ),
    outlived as (
      delete from mailing_runs using begun
      where mailing_runs.project_id = begun.project_id and mailing_id = begun.id
        and mailing_runs.run <= begun.run - ${keptRuns}::integer
    ),
    rested as (${endedWaits(sql, sql`begun`, begin.now)})
    select ${columns(sql)} from begun as mailings`;
  return row;
}

export async function countsOf(sql: Sql, { project_id, id }: MailingRow): Promise<Counts> {
  const [row] = await sql<[Counts]>`
    select coalesce(sum(planned), 0)::int as planned, coalesce(sum(sent), 0)::int as sent,
      coalesce(sum(undelivered), 0)::int as undelivered, coalesce(sum(cancelled), 0)::int as cancelled
    from mailing_counts where project_id = ${project_id} and mailing_id = ${id}`;
  return row;
}

/**
 * Ends a run, but only if every planned message has ended, and the mailing was not stopped. A mailing with a schedule
 * waits for its next moment.
 */
export async function completeRun(
  sql: Sql,
  held: LeasedMailing,
  { now, nextAt, progress, detail }: { now: Date; nextAt: Date | null; progress: Progress; detail: string },
): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    update mailings set
      state = ${nextAt ? 'planned' : 'completed'}, state_detail = ${detail}, stage = null, completed_at = ${now}, due_at = ${nextAt}, lease = null,
      progress = progress || ${sql.json(progress)}::jsonb
    where ${isHeld(sql, held)} and stage = 'sending' and not exists (
      select from mailing_counts where mailing_counts.project_id = mailings.project_id and mailing_id = mailings.id
      having sum(planned) <> sum(sent + undelivered + cancelled)
    )
    returning ${columns(sql)}`;
  return row;
}
