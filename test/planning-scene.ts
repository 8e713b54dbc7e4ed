import type { AbTest } from '../src/mailings/ab-test/schema.ts';
import type { LeasedMailing, MailingRow } from '../src/mailings/planner-store.ts';
import { claimMailings, dueLanes } from '../src/mailings/planner-store.ts';
import { takeStep } from '../src/mailings/planning/run.ts';
import type { Context } from '../src/platform/context.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { type Lifetime, testDatabase } from './database.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from './seed.ts';

/** The hooks of a test file. */
type Hooks = Lifetime & { beforeEach(prepare: () => Promise<void>): void };

/** A new database for the file. At the beginning of a test, mailings of earlier tests are not due. */
export async function startScene({ after, beforeEach }: Hooks) {
  const clock = manualClock();
  const context = testContext(await testDatabase({ after }), clock);
  after(() => context.outbound.close());
  beforeEach(() => retireMailings(context));
  return { context, clock, sql: context.sql };
}

/** Existing mailings are due no more. */
export async function retireMailings({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql`update mailings set due_at = null`;
}

/** A project with this many clients, in order. */
export async function seedClients(sql: Sql, count: number) {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const profiles: string[] = [];
  const chats: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const seed = { external_id: `c${n}`, phone_number: `+1555000${1000 + n}` };
    const profileId = await seedProfile(sql, project, seed);
    profiles.push(profileId);
    chats.push(await seedChat(sql, project, { channelId: channel, profileId }));
  }
  return { project, channel, profiles, chats };
}

type MailingSeed = {
  content_type?: MailingRow['content_type'];
  text?: string;
  node_id?: number;
  filter_chats?: object;
  field?: MailingRow['customer_filter_field'];
  array?: string[];
  customer_filter_file?: string;
  phone_numbers_file?: string;
  origin?: MailingRow['origin'];
  regular_cron?: string;
  finish_by?: Date;
  dueAt?: Date | null;
  ab_test?: AbTest;
};

/** A mailing as the API would store it. By default it is due now. */
export async function seedMailing(
  { sql, newId, clock }: Context,
  projectId: string,
  seed: MailingSeed = {},
): Promise<string> {
  const id = newId();
  const now = clock.now();
  await sql`
    insert into mailings (
      project_id, id, name, content_type, text, links, node_id, node_get_params, template_variables, filter_chats,
      customer_filter_field, customer_filter_file, has_identifiers, phone_numbers_file, origin, regular_cron,
      created_at, state, due_at, ab_test, finish_by
    ) values (
      ${projectId}, ${id}, 'Spring', ${seed.content_type ?? 'TEXT'}, ${seed.text ?? 'Hello'}, '{}',
      ${seed.node_id ?? null}, '[]', '{}', ${seed.filter_chats ? sql.json({ ...seed.filter_chats }) : null},
      ${seed.field ?? null}, ${seed.customer_filter_file ?? null}, ${seed.array !== undefined},
      ${seed.phone_numbers_file ?? null}, ${seed.origin ?? 'system'}, ${seed.regular_cron ?? null},
      ${now}, 'planned', ${seed.dueAt === undefined ? now : seed.dueAt},
      ${seed.ab_test ? sql.json(seed.ab_test) : null}, ${seed.finish_by ?? null}
    )`;
  const { array = [] } = seed;
  if (array.length > 0) {
    await sql`
      insert into mailing_identifiers (project_id, mailing_id, list, last_line, lines, identifiers)
      values (${projectId}, ${id}, 'array', ${array.length}, ${array.map((_, index) => index + 1)}, ${array})`;
  }
  return id;
}

export const everybody = { all: [] };

/** Claims the one due mailing. Undefined when none is due. */
export async function claimOne({ sql, clock, newId }: Context): Promise<LeasedMailing | undefined> {
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + 20_000);
  const lanes = await dueLanes(sql);
  const lane = lanes.find(({ dueAt }) => dueAt <= now)?.key;
  if (lane === undefined) return undefined;
  const [held] = await claimMailings(sql, { lane, free: 1, lease: newId(), now, leaseUntil });
  return held;
}

export const never = new AbortController().signal;

/** Does all work that is due at this moment. */
export async function planAll(context: Context): Promise<void> {
  for (let held = await claimOne(context); held; held = await claimOne(context)) {
    let next: LeasedMailing | undefined = held;
    while (next) next = await takeStep(context, next, never);
  }
}

export type MailingState = Pick<MailingRow, 'state' | 'stage' | 'progress' | 'run'> & {
  state_detail: string;
  due_at: Date | null;
};

export async function stateOf({ sql }: Context, id: string): Promise<MailingState> {
  const [row] = await sql<[MailingState]>`
    select state, stage, state_detail, progress, run, due_at from mailings where id = ${id}`;
  return row;
}

/** The profiles of the mailing's messages in order, one entry a message. */
export async function recipientsOf({ sql }: Context, id: string, state = 'PENDING'): Promise<string[]> {
  const rows = await sql<{ profile_id: string }[]>`
    select profile_id from messages join chats on chats.project_id = messages.project_id and chats.id = chat_id
    where mailing_id = ${id} and state = ${state} order by profile_id`;
  return rows.map(({ profile_id }) => profile_id);
}

/** Simulates the sending of up to this many waiting messages of a mailing. */
export async function sendSome({ sql, clock }: Context, id: string, count = 1_000_000): Promise<void> {
  await sql`
    with picked as (select id from messages where mailing_id = ${id} and state = 'PENDING' order by id limit ${count}),
    claimed as (update messages set state = 'IN_PROCESS' where id in (select id from picked) returning id)
    select count(*) from claimed`;
  await sql`
    with sent as (
      update messages set state = 'SENT', sent_at = ${clock.now()} where mailing_id = ${id} and state = 'IN_PROCESS'
      returning project_id, mailing_id, variant
    )
    select add_to_mailing_counts(project_id, mailing_id, variant, array[0, count(*), 0, 0, 0, 0, 0, 0, 0]::integer[])
    from sent group by project_id, mailing_id, variant`;
}

/** Stops a mailing as the API does. */
export async function stopMailing({ sql, clock }: Context, id: string): Promise<boolean> {
  const now = clock.now();
  const rows = await sql`
    with held as (select project_id, id from mailings where id = ${id} for update)
    update mailings set state = 'stopped', lease = null, completed_at = ${now},
      stage = case when state = 'in_process' then 'stopping' end,
      due_at = case when state = 'in_process' then ${now}::timestamptz end
    where (project_id, id) in (select project_id, id from held) and state in ('planned', 'in_process')
    returning id`;
  return rows.length === 1;
}

export async function problemsOf({ sql }: Context, id: string): Promise<[number, string, string][]> {
  const rows = await sql<{ line: number; identifier: string; reason: string }[]>`
    select line, identifier, reason from mailing_problems where mailing_id = ${id} order by list, line`;
  return rows.map(({ line, identifier, reason }) => [line, identifier, reason]);
}

/** `[planned, sent, undelivered, cancelled]`. */
export async function sumsOf({ sql }: Context, id: string): Promise<number[]> {
  const [row] = await sql<[{ sums: number[] }]>`
    select array[
      coalesce(sum(planned), 0), coalesce(sum(sent), 0), coalesce(sum(undelivered), 0), coalesce(sum(cancelled), 0)
    ]::integer[] as sums
    from mailing_counts where mailing_id = ${id}`;
  return row.sums;
}
