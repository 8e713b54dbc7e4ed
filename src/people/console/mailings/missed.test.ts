import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { testContext } from '../../../../test/context.ts';
import { testDatabase } from '../../../../test/database.ts';
import { seedMailing } from '../../../../test/planning-scene.ts';
import { readsOfEach } from '../../../../test/reads.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../../test/seed.ts';
import { countFailures, findAgain } from './missed.ts';

const { sql, longSql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock(noon));
after(() => context.outbound.close());
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
/** Each has failed. Of these the first have the mailing in another chat, and the next ones have left mailings. */
const [clients, reached, left] = [3_000, 300, 200];
let run: Parameters<typeof findAgain>[1];

/** A chat of each of the clients up to a number, and the mailing's message to it. */
const addChats = (most: number, state: string, mailing: string) => longSql`
  with chat as (
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at,
      unsubscribed_at)
    select ${projectId}, uuid_floor(at + ${state === 'SENT' ? 3_600 : 0} * interval '1 s'), ${channelId},
      uuid_floor(at), 'API_Messenger', ${state} || n, ${noon}, ${noon},
      case when n > ${reached} and n <= ${reached + left} then ${noon}::timestamptz end
    from (
      select n, ${noon}::timestamptz + n * interval '1 ms' as at from generate_series(1, ${most}::int) as n
    ) as people
    returning id, external_id
  )
  insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
    state, state_detail, sent_at, due_at, mailing_id, mailing_run)
  select ${projectId}, id, id, ${channelId}, 'out', 'mailing', 'TEXT',
    json_build_object('variables', json_build_object('a', external_id)), ${noon}, ${state}, case when ${state} = 'UNDELIVERED' then 'Reason ' || right(external_id, 1) else '' end,
    case when ${state} = 'SENT' then ${noon}::timestamptz end, ${noon}, ${mailing}, 1
  from chat`;

before(async () => {
  for (let n = 0; n < 10; n += 1) await seedChat(sql, projectId, { channelId });
  // The statistics of a young installation, before its first large mailing.
  await longSql`analyze`;
  const id = await seedMailing(context, projectId, { dueAt: null });
  await sql`update mailings set state = 'in_process', run = 1, started_at = ${noon} where id = ${id}`;
  await longSql`
    insert into profiles (project_id, id, created_at, updated_at)
    select ${projectId}, uuid_floor(${noon}::timestamptz + n * interval '1 ms'), ${noon}, ${noon}
    from generate_series(1, ${clients}::int) as n`;
  await addChats(clients, 'UNDELIVERED', id);
  await addChats(reached, 'SENT', id);
  run = { projectId, id, startedAt: noon, topicId: null };
});

const tables = ['messages', 'chats', 'profiles'];
/** The message, its chat, the chats of its client twice, and the messages in these. */
const most = 8 * 1_000;

test('the failures of a run are counted in small pages', async (t) => {
  let found: Awaited<ReturnType<typeof countFailures>> | undefined;
  const reads = await readsOfEach(sql, tables, async (on) => {
    found = await countFailures(on, run);
  });
  t.diagnostic(reads.join());
  assert.deepEqual(found, {
    reasons: Array.from({ length: 10 }, (_, n) => ({ reason: `Reason ${n}`, count: clients / 10 })),
    resendable: clients - reached - left,
    refused: left,
  });
  assert.ok(Math.max(...reads) > 0 && Math.max(...reads) <= most, reads.join());
});

test('the recipients of a resend are found in small pages, in the order of their clients', async (t) => {
  let found: Awaited<ReturnType<typeof findAgain>> = [];
  const reads = await readsOfEach(sql, tables, async (on) => {
    found = await findAgain(on, run);
  });
  t.diagnostic(reads.join());
  assert.equal(found.length, clients - reached - left);
  assert.deepEqual(
    found.map(({ variables }) => variables?.a),
    Array.from({ length: found.length }, (_, n) => `UNDELIVERED${reached + left + 1 + n}`),
  );
  assert.ok(Math.max(...reads) > 0 && Math.max(...reads) <= most, reads.join());
});
