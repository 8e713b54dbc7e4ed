import { hasOpenSession } from '../messaging/messages/open-session-store.ts';
import { endsRun } from '../messaging/messages/scenario-store.ts';
import type { Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import type { Renewed } from '../platform/pump/leases.ts';
import { type Due, suspectAfter } from '../platform/pump/suspects.ts';
import type { State } from './state.ts';
import { isForNext } from './succession-store.ts';

/** A run with too many interruptions to be claimed together with others. An index has the same condition. */
const isSuspect = (sql: Sql) => sql`attempts >= ${sql.unsafe(String(suspectAfter))}`;

/** Every project with runs, openings, start messages or events, and its due time. The indexes are walked from project to project. */
export function dueProjects(sql: Sql): Promise<Due[]> {
  return sql<Due[]>`
    with recursive runs as (
      (
        select project_id, due_at from scenario_runs where due_at is not null and not ${isSuspect(sql)}
        order by project_id, due_at limit 1
      )
      union all
      select next.project_id, next.due_at from runs cross join lateral (
        select project_id, due_at from scenario_runs
        where due_at is not null and not ${isSuspect(sql)} and project_id > runs.project_id
        order by project_id, due_at limit 1
      ) next
    ),
    starts as (
      (
        select project_id, due_at from messages
        where is_queued and channel_id is null and due_at is not null
        order by project_id, due_at limit 1
      )
      union all
      select next.project_id, next.due_at from starts cross join lateral (
        select project_id, due_at from messages
        where is_queued and channel_id is null and due_at is not null and project_id > starts.project_id
        order by project_id, due_at limit 1
      ) next
    ),
    events as (
      (select project_id, due_at from scenario_event_starts order by project_id, due_at limit 1)
      union all
      select next.project_id, next.due_at from events cross join lateral (
        select project_id, due_at from scenario_event_starts
        where project_id > events.project_id order by project_id, due_at limit 1
      ) next
    ),
    openings as (
      (
        select project_id, due_at from scenario_openings where due_at is not null
        order by project_id, due_at limit 1
      )
      union all
      select next.project_id, next.due_at from openings cross join lateral (
        select project_id, due_at from scenario_openings where due_at is not null and project_id > openings.project_id
        order by project_id, due_at limit 1
      ) next
    ),
    sent as (
      (select project_id, due_at from scenario_sent order by project_id limit 1)
      union all
      select next.project_id, next.due_at from sent cross join lateral (
        select project_id, due_at from scenario_sent where project_id > sent.project_id order by project_id limit 1
      ) next
    )
    select project_id as key, are_suspects as "areSuspects", min(due_at) as "dueAt"
    from (
      select *, false as are_suspects from runs
      union all
      select *, false from starts
      union all
      select *, false from events
      union all
      select *, false from openings
      union all
      select *, false from sent
      union all
      select project_id, due_at, true from scenario_runs where due_at is not null and ${isSuspect(sql)}
    ) as due
    group by project_id, are_suspects`;
}

/**
 * `lease` names the claim, and is valid until `leaseUntil`. A claim takes suspects only with `areSuspects`, and all
 * others without.
 */
export type Claim = { projectId: string; areSuspects?: boolean; lease: string; now: Date; leaseUntil: Date };

/** Leases up to `free` due runs of a project, the longest due first. Returns their number. */
export async function claimRuns(
  sql: Sql,
  { projectId, areSuspects = false, lease, now, leaseUntil }: Claim,
  free: number,
): Promise<number> {
  return await sql`
    with due as (
      select chat_id from scenario_runs
      where project_id = ${projectId} and due_at <= ${now} and ${areSuspects ? isSuspect(sql) : sql`not ${isSuspect(sql)}`}
      order by due_at limit ${free} for update skip locked
    )
    update scenario_runs set lease = ${lease}, due_at = ${leaseUntil}, attempts = attempts + 1
    from due where project_id = ${projectId} and scenario_runs.chat_id = due.chat_id`.count();
}

/** A leased run with everything that its next turn needs. */
export type ClaimedRun = {
  project_id: string;
  chat_id: string;
  channel_id: string;
  id: string;
  scenario_id: number | null;
  version: number | null;
  params: State['variables'];
  state: State | null;
  lane: 0 | 1;
  start_id: string | null;
  last_message_id: string | null;
  lease: string;
  attempts: number;
  in_session: boolean;
  /** Whether the message that it continues from was forced, so that it is sent in a session, too. */
  is_forced: boolean;
  /** Whether another run goes on in the chat if the message that started this one does not arrive. */
  displaces: boolean;
  /** Its start message, or its last message, was cancelled before it was sent, or was a mailing's that got nowhere. */
  is_cancelled: boolean;
  /** The trace of that message. */
  trace: string | null;
  /** The first of the client's messages that it has not handled. */
  mail: { seq: number; text: string | null; url: string | null; payload: string | null } | null;
};

/**
 * The runs of a claim. This is a separate statement from the lease. One statement for both would see the messages
 * from before its lease, including messages that another worker has handled.
 */
export function claimedRuns(sql: Sql, { projectId, lease, leaseUntil }: Claim): Promise<ClaimedRun[]> {
  return sql<ClaimedRun[]>`
    select runs.project_id, runs.chat_id, chats.channel_id, runs.id, scenario_id, version, params, runs.state, runs.lane,
      start_id, last_message_id, runs.lease, runs.attempts, mail.mail,
      ${hasOpenSession(sql, sql`runs`)} as in_session,
      coalesce(${endsRun(sql, sql`latest`)}, false) as is_cancelled,
      coalesce(latest.is_force, false) as is_forced, displaced is not null as displaces, latest.trace
    from scenario_runs runs
    join chats on chats.project_id = runs.project_id and chats.id = runs.chat_id
    left join lateral (
      select messages.state, messages.source, messages.is_force, messages.trace from messages
      where messages.project_id = runs.project_id and messages.id = coalesce(start_id, last_message_id)
    ) latest on true
    left join lateral (
      select jsonb_build_object(
        'seq', seq, 'text', coalesce(content -> 'own', content -> 'text'), 'url', content -> 'url',
        'payload', content -> 'payload'
      ) as mail
      from scenario_mail
      join messages on messages.project_id = scenario_mail.project_id and messages.id = message_id
      where scenario_mail.project_id = runs.project_id and scenario_mail.chat_id = runs.chat_id
        and not ${isForNext(sql, sql`scenario_mail`)}
      order by seq limit 1
    ) mail on unheard > 0
    where runs.project_id = ${projectId} and runs.due_at = ${leaseUntil} and runs.lease = ${lease}
    order by runs.chat_id`;
}

/** Gives runs back until later. An unreadable run does not count as an attempt. */
export async function putOffRuns(
  sql: Sql,
  { projectId, lease }: Pick<Claim, 'projectId' | 'lease'>,
  chatIds: readonly string[],
  dueAt: Date,
): Promise<void> {
  await sql`
    update scenario_runs set lease = null, attempts = attempts - 1, due_at = ${dueAt}
    where project_id = ${projectId} and chat_id = any (${chatIds}) and lease = ${lease}`;
}

/**
 * Renews leases that are still held, and returns the positions of these. Runs are locked in the same order as by
 * turns.
 */
export async function renewRuns(
  sql: Sql,
  leased: readonly Pick<ClaimedRun, 'project_id' | 'chat_id' | 'lease'>[],
  until: Date,
): Promise<Renewed[]> {
  const rows = leased.map(({ project_id, chat_id, lease }, position) => ({
    project_id,
    chat_id,
    lease,
    position,
  }));
  return await sql<Renewed[]>`
    with held as (
      select runs.project_id, runs.chat_id, leased.position
      from ${fewRows(sql, rows, 'leased', sql`project_id uuid, chat_id uuid, lease uuid, position int`)}
      join scenario_runs runs on runs.project_id = leased.project_id and runs.chat_id = leased.chat_id
      where runs.lease = leased.lease
      order by runs.project_id, runs.chat_id for update of runs
    )
    update scenario_runs set due_at = ${until} from held
    where scenario_runs.project_id = held.project_id and scenario_runs.chat_id = held.chat_id
    returning held.position`;
}
