import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { columns, type LeasedMailing } from '../src/mailings/planner-store.ts';
import { handOverPage } from '../src/mailings/planning/spread-store.ts';
import { receiveEvents } from '../src/messaging/chats/receive.ts';
import { claimMessages } from '../src/messaging/sending/claim.ts';
import { recordMessages } from '../src/messaging/sending/store.ts';
import {
  findRecipients,
  nextMessages,
  recipientsBehind,
} from '../src/people/console/mailings/recipients-store.ts';
import type { Context } from '../src/platform/context.ts';
import { analyzeGrown } from '../src/platform/database/statistics.ts';
import { nilUuid } from '../src/platform/id.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { testDatabase } from './database.ts';
import { partsOf } from './parts-of.ts';
import { seedMailing } from './planning-scene.ts';
import { readsIn } from './reads.ts';
import { noon, seedChannel, seedChat, seedProject } from './seed.ts';

/**
 * The first large mailing of an installation. Its statistics come from a few messages, none of them of a mailing. The
 * planner then takes the mailing for one that has no messages, and may read all of it for each of a few.
 */

const recipients = 3_000;
const few = 10;
const queued = 40;
const page = 200;
const turnsAtOnce = 10;

const clock = manualClock(noon);
const { sql, longSql } = await testDatabase({ after });
const context = testContext({ sql }, clock);
after(() => context.outbound.close());
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const channel = { projectId, id: channelId, platform: 'API_Messenger' as const, name: 'Shop' };

let mailing = '';

before(async () => {
  const chats: string[] = [];
  for (let n = 0; n < few; n += 1) chats.push(await seedChat(sql, projectId, { channelId }));
  await sql`update projects set cap_messages = 3, cap_days = 7 where id = ${projectId}`;
  await sql`
    insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
    values (${projectId}, ${channelId}, ${noon}, ${noon}, ${noon})`;
  await longSql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state)
    select ${projectId}, uuid_floor(${noon}::timestamptz - n * interval '1 s'), chat, ${channelId}, 'out', 'push', 'TEXT',
      '{"text": "hello"}', ${noon}, 'SENT'
    from unnest(${chats}::uuid[]) with ordinality as known (chat, n)`;
  await longSql`analyze`;
  mailing = await seedMailing(context, projectId, { dueAt: null });
  await sql`update mailings set state = 'in_process', run = 1, started_at = ${noon} where id = ${mailing}`;
  await longSql`
    with people as (
      insert into profiles (project_id, id, created_at, updated_at)
      select ${projectId}, uuid_floor(${noon}::timestamptz - n * interval '1 ms'), ${noon}, ${noon}
      from generate_series(1, ${recipients}::int) as n
      returning id
    ),
    theirs as (
      insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
      select ${projectId}, id, ${channelId}, id, 'API_Messenger', id, ${noon}, ${noon} from people
      returning id
    )
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, sent_at,
      provider_id, lane, due_at, mailing_id, mailing_run)
    select ${projectId}, uuid_floor(${noon}::timestamptz + n * interval '1 ms'), id, ${channelId}, 'out', 'mailing', 'TEXT', '{}',
      ${noon}, case when n > ${queued} then 'SENT' else 'PENDING' end, case when n > ${queued} then ${noon}::timestamptz end,
      'p' || n, 1, ${noon}, ${mailing}, 1
    from (select id, row_number() over (order by id) as n from theirs) as numbered`;
});

const tables = ['messages', 'chats', 'profiles'];

/** The number of rows that the database reads for the work. Nothing of it stays. */
async function readsOf(work: (context: Context) => Promise<unknown>): Promise<number> {
  const undo = new Error('undo');
  let reads = 0;
  const run = sql.begin(async (transaction) => {
    const before = await readsIn(transaction, tables);
    await work({ ...context, sql: Object.assign(transaction, partsOf(sql)) });
    reads = (await readsIn(transaction, tables)) - before;
    throw undo;
  });
  await assert.rejects(run, undo);
  return reads;
}

async function claimAndRecord({ sql }: Context): Promise<void> {
  const leaseUntil = new Date(noon.getTime() + 5_000);
  const lease = context.newId();
  const claimed = await claimMessages(sql, [{ channelId, free: 64 }], { lease, now: noon, leaseUntil });
  assert.equal(claimed.length, queued);
  const results = claimed.map(({ project_id, id, lease }) => ({
    project_id,
    id,
    lease,
    state: 'SENT',
    due_at: noon.toISOString(),
  }));
  await recordMessages(sql, results, [], noon);
}

type Operation = {
  name: string;
  /** The most rows that it may read. */
  most: number;
  work: (context: Context) => Promise<unknown>;
};

const sending: Operation[] = [
  // Each of the messages is read in several statements.
  { name: 'messages are claimed and sent', most: 12 * queued, work: claimAndRecord },
  {
    name: 'a message is read',
    most: 20,
    work: (on) =>
      receiveEvents(on, channel, [
        { kind: 'receipt', message: { providerId: 'p2000' }, state: 'read', detail: '' },
      ]),
  },
];

/** The first ten messages of the mailing that wait for their turn. */
async function handOver({ sql: on }: Context): Promise<void> {
  const finishBy = new Date(noon.getTime() + 3_600_000);
  const lease = context.newId();
  await on`update mailings set finish_by = ${finishBy}, lease = ${lease} where id = ${mailing}`;
  await on`update messages set due_at = ${finishBy} where mailing_id = ${mailing} and is_queued`;
  const [held] = await on<LeasedMailing[]>`select ${columns(on)} from mailings where id = ${mailing}`;
  assert.ok(held);
  const turns = {
    most: turnsAtOnce,
    owed: turnsAtOnce,
    held: queued,
    quiet: null,
    now: noon,
    leaseUntil: finishBy,
  };
  const row = await handOverPage(on, held, turns);
  assert.equal(row?.progress.held, queued - turnsAtOnce);
}

/** A person's page reads a whole mailing at most in the seconds before its first statistics. */
const pages: Operation[] = [
  // Each with its chat and its client.
  {
    name: 'recipients are downloaded',
    most: 4 * page,
    work: ({ sql: on }) => recipientsBehind(on, { projectId, id: mailing }, nilUuid, page),
  },
  {
    name: 'recipients are listed',
    most: 5 * page,
    work: async ({ sql: on }) => {
      const { ids } = await nextMessages(on, { projectId, id: mailing }, null, null, page);
      await findRecipients(on, projectId, ids);
    },
  },
];

/** The updates before it read the mailing, and so does its page. */
const turns: Operation = {
  name: 'messages get their turn',
  most: recipients + 3 * queued + 10 * turnsAtOnce,
  work: handOver,
};

function promise({ name, most, work }: Operation, statistics: string): void {
  test(`with statistics of ${statistics}, ${name}: the reads do not grow with the recipients`, async (t) => {
    const reads = await readsOf(work);
    t.diagnostic(`${reads} reads`);
    assert.ok(reads > 0 && reads <= most, `${reads} reads`);
  });
}

for (const operation of sending) promise(operation, 'a few messages');
test('then the mailing gets its statistics', () => analyzeGrown(longSql));
for (const operation of [...sending, ...pages, turns]) promise(operation, 'the mailing');
