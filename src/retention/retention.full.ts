import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { partsOf } from '../../test/parts-of.ts';
import { seedApplication, seedChannel, seedChat, seedEndpoint, seedProject } from '../../test/seed.ts';
import { startObjectStorage } from '../../test/stand-ins/s3.ts';
import { keepForEver, type Retention } from '../access/projects/retention.ts';
import { setRetention } from '../access/projects/retention-store.ts';
import { addDifference } from '../mailings/recount-store.ts';
import { createAttachment } from '../messaging/attachments/create.ts';
import { takeAttachment } from '../messaging/attachments/take.ts';
import { receiveEvents } from '../messaging/chats/receive.ts';
import { ensurePartitions } from '../platform/database/partitions.ts';
import type { Pool, Sql } from '../platform/database/pool.ts';
import { countRows } from '../platform/database/row-counts.ts';
import { createSql, type Query } from '../platform/database/sql.ts';
import { uuidv7 } from '../platform/id.ts';
import { ArchiveDamaged, archiveName, findManifest, readArchive } from './archive-files.ts';
import { listArchives } from './archives-store.ts';
import { monthsOfTable } from './parts-store.ts';
import { removeOld } from './retention.ts';

const database = await testDatabase({ after });
const { sql } = database;
const clock = manualClock(new Date('2027-03-10T12:00:00.000Z'));
const base = testContext(database, clock);
after(() => base.outbound.close());
const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-retention-'));
after(() => rm(dataDir, { recursive: true }));
const context = { ...base, config: { ...base.config, dataDir } };
const never = new AbortController().signal;

const author = { id: uuidv7(clock.now()), name: 'Olga' };

const keep = (projectId: string, becomes: Partial<Retention>) =>
  setRetention(sql, {
    projectId,
    id: uuidv7(clock.now()),
    author,
    becomes: { ...keepForEver, ...becomes },
    now: clock.now(),
  });

const run = (there: Pool = sql) => removeOld({ ...context, sql: there }, never);

let year = 1979;

/** A year that no other test of this file has used, with the partitions of its first two months. */
async function newYear(): Promise<{ january: Date; february: Date; month: string }> {
  year += 1;
  const january = new Date(Date.UTC(year, 0, 10));
  await ensurePartitions(sql, january, 2);
  return { january, february: new Date(Date.UTC(year, 1, 10)), month: `${year}01` };
}

async function scene() {
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  const chatId = await seedChat(sql, projectId, { channelId, external_id: 'client' });
  const applicationId = await seedApplication(sql);
  const endpointId = await seedEndpoint(sql, projectId, applicationId);
  return { projectId, channelId, chatId, applicationId, endpointId };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** A push message that was sent at this time. */
async function addPush(
  { projectId, channelId, chatId }: Scene,
  at: Date,
  { state = 'SENT' }: { state?: string } = {},
): Promise<string> {
  const id = uuidv7(at);
  const provider = `provider ${id}`;
  await sql`
    with queued as (
      insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
        state, provider_id, external_id, sent_at)
      values (${projectId}, ${id}, ${chatId}, ${channelId}, 'out', 'push', 'TEXT', ${sql.json({ text: 'A “text”, two\nlines' })},
        ${at}, ${state}, ${provider}, ${provider}, ${at})
    ),
    seen as (
      insert into external_ids (project_id, owner_id, external_id, message_id, chat_id, created_at)
      values (${projectId}, ${channelId}, ${provider}, ${id}, ${chatId}, ${at})
    )
    select add_to_row_count(${projectId}, 'messages', 'push', 1)`;
  return id;
}

async function addEvent({ projectId, endpointId, chatId }: Scene, at: Date, state: string): Promise<string> {
  const id = uuidv7(at);
  await sql`
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, state, created_at)
    values (${projectId}, ${id}, ${endpointId}, ${chatId}, 'message_updated', '{}', ${state}, ${at})`;
  await sql`
    insert into attempts (project_id, id, endpoint_id, event_id, started_at, duration_ms, answer)
    values (${projectId}, ${uuidv7(at)}, ${endpointId}, ${id}, ${at}, 5, 'ok')`;
  return id;
}

async function addRecord({ projectId }: Scene, at: Date): Promise<void> {
  await sql`
    insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
    values (${projectId}, ${uuidv7(at)}, ${uuidv7(at)}, 'created', '{}', 'person', 'Olga', ${at})`;
}

/** Messages of a mailing with these states, counted as the engines count them. */
async function addMailing(
  { projectId, channelId, chatId }: Scene,
  at: Date,
  states: string[],
): Promise<string> {
  const mailingId = uuidv7(at);
  await sql`
    insert into mailings (project_id, id, name, content_type, text, links, node_get_params, template_variables,
      has_identifiers, origin, created_at, state, run, started_at)
    values (${projectId}, ${mailingId}, 'Sale', 'TEXT', 'Hello', '{}', '[]', '{}', false, 'system', ${at}, 'completed', 1, ${at})`;
  for (const state of states) {
    await sql`
      insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
        state, sent_at, clicked_at, mailing_id, mailing_run)
      values (${projectId}, ${uuidv7(at)}, ${chatId}, ${channelId}, 'out', 'mailing', 'TEXT', '{}', ${at}, ${state}, ${at},
        ${state === 'READ' ? at : null}, ${mailingId}, 1)`;
  }
  await recount(projectId, mailingId);
  return mailingId;
}

const recount = (projectId: string, mailingId: string) =>
  sql.begin((transaction) => addDifference(transaction, projectId, mailingId));

async function statisticsOf(mailingId: string): Promise<object> {
  const [counts] = await sql`
    select sum(planned)::int as planned, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read,
      sum(undelivered)::int as undelivered, sum(cancelled)::int as cancelled, sum(clicked)::int as clicked
    from mailing_counts where mailing_id = ${mailingId}`;
  const platforms = await sql`
    select platform, planned from mailing_platforms where mailing_id = ${mailingId}`;
  return { ...counts, platforms: platforms.map((row) => ({ ...row })) };
}

const messagesOf = async ({ projectId }: Scene): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from messages where project_id = ${projectId} order by id`).map(
    ({ id }) => id,
  );

/** The ids in all archives of the project's table. */
async function archivedOf({ projectId }: Scene, table: string): Promise<string[]> {
  const ids: string[] = [];
  for (const archive of await listArchives(sql, projectId)) {
    if (archive.table_name !== table) continue;
    for await (const line of readArchive(context.config, archive)) ids.push(JSON.parse(line).id);
  }
  return ids.sort();
}

const pushes = ({ projectId }: Scene) => countRows(sql, projectId, 'messages', 'push');

const hasPart = async (table: 'messages' | 'events' | 'attempts' | 'profile_audit', month: string) =>
  (await monthsOfTable(sql, table)).includes(month);

test('without a retention everything stays', async () => {
  const { january, month } = await newYear();
  const here = await scene();
  const id = await addPush(here, january);
  await run();
  assert.deepEqual(await messagesOf(here), [id]);
  assert.ok(await hasPart('messages', month));
  await keep(here.projectId, { messages: 3, legal_hold: true });
  await run();
  assert.deepEqual(await messagesOf(here), [id]);
  await keep(here.projectId, { messages: 3 });
  await run();
});

test('a month that all its projects let go is archived and dropped, and all numbers stay', async () => {
  const { january, february, month } = await newYear();
  const [here, there] = [await scene(), await scene()];
  const old = [await addPush(here, january), await addPush(here, january)].sort();
  const theirs = await addPush(there, january);
  const mailing = await addMailing(here, january, ['SENT', 'READ', 'UNDELIVERED', 'CANCELLED']);
  const said = await statisticsOf(mailing);
  await addEvent(here, january, 'DELIVERED');
  await addRecord(here, january);
  await addRecord(here, february);
  const mailingMessages = (await messagesOf(here)).filter((id) => !old.includes(id));
  const every: Partial<Retention> = { messages: 3, events: 1, attempts: 1, audit: 120 };
  await keep(here.projectId, every);
  await keep(there.projectId, { ...every, archives: false });
  const young = await addPush(here, clock.now());

  await run();
  for (const table of ['messages', 'events', 'attempts', 'profile_audit'] as const) {
    assert.equal(await hasPart(table, month), false, table);
  }
  assert.deepEqual(await messagesOf(here), [young]);
  assert.deepEqual(await messagesOf(there), []);
  assert.deepEqual(await archivedOf(here, 'messages'), [...old, ...mailingMessages].sort());
  assert.deepEqual(await listArchives(sql, there.projectId), []);
  assert.deepEqual([await pushes(here), await pushes(there)], [1, 0]);
  assert.equal(await countRows(sql, here.projectId, 'profile_audit'), 0);
  assert.equal((await archivedOf(here, 'profile_audit')).length, 2);

  assert.deepEqual(await statisticsOf(mailing), said);
  await recount(here.projectId, mailing);
  assert.deepEqual(await statisticsOf(mailing), said);
  const seen = await sql`select from external_ids where message_id = any (${[...old, theirs]}::uuid[])`;
  assert.equal(seen.length, 0);
});

test('where another project keeps the month, the rows are deleted, and all numbers stay', async () => {
  const { january, month } = await newYear();
  const [here, keeper] = [await scene(), await scene()];
  const old = [];
  for (let n = 0; n < 3; n += 1) old.push(await addPush(here, january));
  const kept = await addPush(keeper, january);
  const mailing = await addMailing(here, january, ['DELIVERED', 'ERROR']);
  const said = await statisticsOf(mailing);
  await addEvent(here, january, 'FAILED');
  const eventOfKeeper = await addEvent(keeper, january, 'DELIVERED');
  await addRecord(here, january);
  await addRecord(keeper, january);
  await keep(here.projectId, { messages: 3, events: 1, attempts: 1, audit: 1 });
  await keep(keeper.projectId, { messages: 3, legal_hold: true });

  await run();
  assert.ok(await hasPart('messages', month));
  assert.deepEqual(await messagesOf(here), []);
  assert.deepEqual(await messagesOf(keeper), [kept]);
  assert.equal((await archivedOf(here, 'messages')).length, 5);
  assert.equal((await archivedOf(here, 'attempts')).length, 1);
  const events = await sql<{ id: string }[]>`select id from events where id >= uuid_floor(${january})
    and project_id = any (${[here.projectId, keeper.projectId]}::uuid[])`;
  assert.deepEqual(
    events.map(({ id }) => id),
    [eventOfKeeper],
  );
  assert.deepEqual([await pushes(here), await pushes(keeper)], [0, 1]);
  assert.deepEqual(
    await Promise.all([here, keeper].map(({ projectId }) => countRows(sql, projectId, 'profile_audit'))),
    [0, 1],
  );
  await recount(here.projectId, mailing);
  assert.deepEqual(await statisticsOf(mailing), said);
});

test('nothing that waits is removed, and it goes when it is over', async () => {
  const { january, month } = await newYear();
  const here = await scene();
  const [sent, queued] = [await addPush(here, january), await addPush(here, january, { state: 'PENDING' })];
  const unheard = uuidv7(january);
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at)
    values (${here.projectId}, ${unheard}, ${here.chatId}, ${here.channelId}, 'in', 'client', 'text', '{}', ${january})`;
  await sql`
    insert into scenario_runs (project_id, chat_id, id, params, lane, unheard, created_at)
    values (${here.projectId}, ${here.chatId}, ${uuidv7(january)}, '{}', 1, 1, ${january})`;
  await sql`
    insert into scenario_mail (project_id, chat_id, run_id, message_id)
    values (${here.projectId}, ${here.chatId}, ${uuidv7(january)}, ${unheard})`;
  const waiting = [await addEvent(here, january, 'PENDING'), await addEvent(here, january, 'KEPT')].sort();
  await addEvent(here, january, 'FAILED');
  await keep(here.projectId, { messages: 3, events: 1 });
  const eventsNow = async () =>
    (await sql<{ id: string }[]>`select id from events where project_id = ${here.projectId} order by id`).map(
      ({ id }) => id,
    );

  await run();
  assert.deepEqual(await messagesOf(here), [queued, unheard].sort());
  assert.deepEqual(await archivedOf(here, 'messages'), [sent]);
  assert.deepEqual(await eventsNow(), waiting);
  assert.equal(await pushes(here), 1);

  await sql`update messages set state = 'CANCELLED' where id = ${queued}`;
  await sql`delete from scenario_mail where message_id = ${unheard}`;
  await sql`update events set state = 'DELIVERED' where project_id = ${here.projectId}`;
  await run();
  assert.deepEqual([await messagesOf(here), await eventsNow()], [[], []]);
  assert.deepEqual(await archivedOf(here, 'messages'), [sent, queued, unheard].sort());
  assert.equal(await hasPart('messages', month), false);
  assert.equal(await pushes(here), 0);
});

test('rows that landed in the default partition are archived and removed too, and others there stay', async () => {
  const here = await scene();
  year += 1;
  const [april, kept] = [new Date(Date.UTC(year, 3, 10)), new Date(Date.UTC(2027, 1, 20))];
  const old = await addPush(here, april);
  await addEvent(here, april, 'DELIVERED');
  await addRecord(here, april);
  const queued = await addPush(here, april, { state: 'PENDING' });
  const young = await addPush(here, kept);
  await keep(here.projectId, { messages: 3, events: 1, attempts: 1, audit: 1 });
  await run();
  assert.deepEqual(await messagesOf(here), [queued, young].sort());
  assert.deepEqual(await archivedOf(here, 'messages'), [old]);
  const [left] = await sql<[{ count: number }]>`
    select (select count(*) from events where project_id = ${here.projectId})
      + (select count(*) from attempts where project_id = ${here.projectId}) as count`;
  assert.equal(left.count, 0);
  assert.equal(await pushes(here), 2);
  await sql`delete from retention`;
});

test('a month with rows in the default partition prevents no other partition', async () => {
  const here = await scene();
  year += 1;
  await addPush(here, new Date(Date.UTC(year, 4, 10)));
  assert.equal(await ensurePartitions(sql, new Date(Date.UTC(year, 3, 10)), 3), 4 * 3 - 1);
  assert.equal(await hasPart('messages', `${year}05`), false);
  assert.equal(await hasPart('messages', `${year}06`), true);
  assert.equal(await hasPart('events', `${year}05`), true);
});

type Waiting = { name: string; add(here: Scene, at: Date): Promise<string> };

const waitings: Waiting[] = [
  { name: 'a queued message', add: (here, at) => addPush(here, at, { state: 'PENDING' }) },
  { name: 'a message under way', add: (here, at) => addPush(here, at, { state: 'IN_PROCESS' }) },
  { name: 'a message of a mailing that runs', add: addRunning },
  { name: 'an event that waits', add: (here, at) => addEvent(here, at, 'PENDING') },
  { name: 'an event for a disabled webhook', add: (here, at) => addEvent(here, at, 'KEPT') },
];

async function addRunning(here: Scene, at: Date): Promise<string> {
  const mailing = await addMailing(here, at, ['SENT']);
  await sql`update mailings set state = 'in_process', stage = 'planning' where id = ${mailing}`;
  const [message] = await sql<{ id: string }[]>`select id from messages where mailing_id = ${mailing}`;
  return message?.id ?? '';
}

for (const { name, add } of waitings) {
  test(`a month with ${name} keeps it`, async () => {
    const { january } = await newYear();
    const here = await scene();
    const id = await add(here, january);
    await keep(here.projectId, { messages: 3, events: 1 });
    await run();
    const left = await sql<{ id: string }[]>`
      select id from messages where project_id = ${here.projectId}
      union all select id from events where project_id = ${here.projectId}`;
    assert.deepEqual(
      left.map((row) => row.id),
      [id],
    );
    await sql`delete from retention`;
  });
}

/** Every third statement is enough to meet each kind of step, before and after it. */
const apart = 3;

class Died extends Error {}

type Around = (query: Query, send: () => Promise<object[]>) => Promise<object[]>;

/** The same pool, with something around each statement. */
function poolWith(around: Around): Pool {
  const through = (real: Sql) => async (query: Query) => {
    const strings = query.text.split(/\$\d+/);
    const send = async () =>
      query.isOne
        ? await real<object[]>(Object.assign(strings, { raw: strings }), ...query.values)
        : await real.unsafe<object[]>(query.text);
    const rows = await around(query, send);
    return { rows, count: rows.length };
  };
  return Object.assign(createSql(through(sql)), {
    ...partsOf(sql),
    begin: <Result>(body: (transaction: Sql) => Promise<Result>) =>
      sql.begin((transaction) => body(createSql(through(transaction)))),
    end: () => Promise.resolve(),
  });
}

/** The same pool, whose owner dies with its n-th statement of a kind: before it is sent, or before its answer comes. */
function dyingAt(n: number, isSent: boolean, kind = ''): Pool {
  let count = 0;
  return poolWith(async ({ text }, send) => {
    const isOfKind = text.includes(kind);
    if (isOfKind) count += 1;
    const dies = isOfKind && count === n;
    if (dies && !isSent) throw new Died();
    const rows = await send();
    if (dies) throw new Died();
    return rows;
  });
}

/** A run that dies when it has stored an archive, and has removed nothing. */
const dieAfterArchive = () => assert.rejects(run(dyingAt(1, true, 'insert into archives')), Died);

for (const isShared of [false, true]) {
  test(`a crash at any step loses no row (${isShared ? 'rows deleted' : 'a partition dropped'})`, async () => {
    const { january } = await newYear();
    await sql`delete from retention`;
    for (let n = 1; ; n += apart) {
      await ensurePartitions(sql, january, 1);
      const here = await scene();
      const keeper = isShared ? await scene() : null;
      if (keeper) await addPush(keeper, january);
      for (let count = 0; count < 2; count += 1) await addPush(here, january);
      const mailing = await addMailing(here, january, ['SENT', 'READ']);
      const said = await statisticsOf(mailing);
      const all = await messagesOf(here);
      await keep(here.projectId, { messages: 3 });

      const end = await run(dyingAt(n, n % 2 === 0)).catch((error: unknown) => error);
      assert.ok(end === undefined || end instanceof Died, String(end));
      const left = [...(await messagesOf(here)), ...(await archivedOf(here, 'messages'))];
      assert.deepEqual([...new Set(left)].sort(), all, `after statement ${n}`);
      await run();
      assert.deepEqual(await messagesOf(here), []);
      assert.deepEqual(await archivedOf(here, 'messages'), all, `each once, after statement ${n}`);
      assert.equal(await pushes(here), 0);
      await recount(here.projectId, mailing);
      assert.deepEqual(await statisticsOf(mailing), said);
      // The next scenes are to be alone in their months.
      await sql`delete from retention`;
      if (end === undefined) break;
    }
  });
}

/** The same pool. Before its n-th statement or transaction of a kind something else happens. */
function interruptedAt(n: number, happens: () => Promise<void>, kind = ''): Pool {
  let count = 0;
  const step = async (text: string): Promise<void> => {
    if (!text.includes(kind)) return;
    count += 1;
    if (count === n) await happens();
  };
  const send = async ({ text, values, isOne }: Query) => {
    await step(text);
    const strings = text.split(/\$\d+/);
    const statement = isOne
      ? sql(Object.assign(strings, { raw: strings }), ...values)
      : sql.unsafe<object[]>(text);
    const rows = [...(await statement)];
    return { rows, count: await statement.count() };
  };
  return Object.assign(createSql(send), {
    ...partsOf(sql),
    begin: async <Result>(body: (transaction: Sql) => Promise<Result>) => {
      await step('begin');
      return await sql.begin(body);
    },
    end: () => Promise.resolve(),
  });
}

for (const isShared of [false, true]) {
  test(`a legal hold keeps every row from then on (${isShared ? 'rows deleted' : 'a partition dropped'})`, async () => {
    const { january } = await newYear();
    await sql`delete from retention`;
    for (let n = 1, isReached = true; isReached; n += apart) {
      await ensurePartitions(sql, january, 1);
      const here = await scene();
      const keeper = isShared ? await scene() : null;
      if (keeper) await addPush(keeper, january);
      await addPush(here, january);
      await keep(here.projectId, { messages: 3 });
      let held: string[] | null = null;
      const hold = async () => {
        await keep(here.projectId, { messages: 3, legal_hold: true });
        held = await messagesOf(here);
      };
      await run(interruptedAt(n, hold));
      isReached = held !== null;
      if (held) assert.deepEqual(await messagesOf(here), held, `before statement ${n}`);
      await sql`delete from retention`;
      await keep(here.projectId, { messages: 3 });
      await run();
      assert.deepEqual(await messagesOf(here), []);
      await sql`delete from retention`;
    }
  });
}

const small = { counted: 400, compared: 400, archived: 300 };

/** A run over months that are large for it. It is over after two batches of deleted rows. */
async function runShort(): Promise<void> {
  const stop = new AbortController();
  const there = interruptedAt(2, async () => stop.abort(), 'with gone as');
  await removeOld({ ...context, sql: there }, stop.signal, small);
}

async function addPushes(here: Scene, at: Date, count: number): Promise<void> {
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
      sent_at)
    select ${here.projectId}, one.id, ${here.chatId}, ${here.channelId}, 'out', 'push', 'TEXT', '{}', ${at}, 'SENT', ${at}
    from unnest(${Array.from({ length: count }, () => uuidv7(at))}::uuid[]) as one (id)`;
  await sql`select add_to_row_count(${here.projectId}, 'messages', 'push', ${count})`;
}

for (const archives of [true, false]) {
  const kind = archives ? 'archived' : 'not archived';
  test(`a month too large for one run is dropped after several (${kind})`, async () => {
    await sql`delete from retention`;
    const { january, month } = await newYear();
    const here = await scene();
    await addPushes(here, january, 1_700);
    const mailing = await addMailing(here, january, ['SENT', 'READ']);
    const said = await statisticsOf(mailing);
    const all = await messagesOf(here);
    await keep(here.projectId, { messages: 3, archives });
    let runs = 0;
    for (; runs < 20 && (await hasPart('messages', month)); runs += 1) await runShort();
    assert.equal(await hasPart('messages', month), false);
    assert.ok(runs > 1);
    assert.equal(await pushes(here), 0);
    await recount(here.projectId, mailing);
    assert.deepEqual(await statisticsOf(mailing), said);
    assert.deepEqual(await archivedOf(here, 'messages'), archives ? all : []);
    for (const archive of await listArchives(sql, here.projectId)) {
      assert.ok(archive.row_count <= small.archived);
      assert.ok(archive.removed_at);
    }
    await sql`delete from retention`;
  });

  test(`a hold or a row that comes between the runs over a large month is heeded (${kind})`, async () => {
    const { january, month } = await newYear();
    const here = await scene();
    await addPushes(here, january, 1_700);
    await keep(here.projectId, { messages: 3, archives });
    await runShort();
    const left = await messagesOf(here);
    assert.ok(left.length > small.counted && left.length < 1_700);
    await keep(here.projectId, { messages: 3, archives, legal_hold: true });
    for (let runs = 0; runs < 3; runs += 1) await runShort();
    assert.deepEqual(await messagesOf(here), left);

    const queued = await addPush(here, january, { state: 'PENDING' });
    const sent = await addPush(here, january);
    await keep(here.projectId, { messages: 3, archives });
    for (let runs = 0; runs < 20; runs += 1) await runShort();
    assert.deepEqual(await messagesOf(here), [queued]);
    assert.ok(await hasPart('messages', month));
    assert.equal(await pushes(here), 1);
    assert.equal((await archivedOf(here, 'messages')).includes(sent), archives);
    await sql`delete from retention`;
  });
}

/** A run that is over after it has stored one archive. */
async function runForOneArchive(): Promise<void> {
  const stop = new AbortController();
  const there = interruptedAt(1, async () => stop.abort(), 'insert into archives');
  const bounds = { counted: 10_000, compared: 10_000, archived: 300 };
  await removeOld({ ...context, sql: there }, stop.signal, bounds);
}

const idsIn = async (table: 'messages' | 'events', { projectId }: Scene): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from ${sql(table)} where project_id = ${projectId} order by id`).map(
    ({ id }) => id,
  );

for (const table of ['messages', 'events'] as const) {
  test(`a month whose archive takes several runs is dropped, and each row and change is archived (${table})`, async () => {
    await sql`delete from retention`;
    const { january, month } = await newYear();
    const here = await scene();
    if (table === 'messages') await addPushes(here, january, 1_700);
    else for (let count = 0; count < 1_000; count += 1) await addEvent(here, january, 'DELIVERED');
    await keep(here.projectId, { [table]: 3 });
    await runForOneArchive();
    const [changed = ''] = await archivedOf(here, table);
    if (table === 'messages') await sql`update messages set state = 'READ' where id = ${changed}`;
    else await sql`update events set state = 'FAILED' where id = ${changed}`;
    const earlier = new Date(january.getTime() - 86_400_000);
    if (table === 'messages') await addPush(here, earlier);
    else await addEvent(here, earlier, 'DELIVERED');
    const all = await idsIn(table, here);
    let runs = 1;
    for (; runs < 20 && (await hasPart(table, month)); runs += 1) {
      assert.deepEqual(await idsIn(table, here), all, 'no row is deleted before');
      await runForOneArchive();
    }
    assert.equal(await hasPart(table, month), false);
    assert.ok(runs > 4, `${runs} runs`);
    assert.deepEqual(await archivedOf(here, table), [...all, changed].sort());
    const archives = await listArchives(sql, here.projectId);
    assert.ok(archives.every(({ removed_at }) => removed_at !== null));
    if (table === 'messages') assert.equal(await pushes(here), 0);
    await sql`delete from retention`;
  });
}

test('an archive that is damaged removes nothing, and is an error', async () => {
  const { january } = await newYear();
  const [here, keeper] = [await scene(), await scene()];
  await addPush(keeper, january);
  await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await dieAfterArchive();
  const folder = join(dataDir, 'archives', here.projectId);
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.sealed'));
  const bytes = await readFile(join(folder, name));
  await writeFile(join(folder, name), bytes.subarray(0, -9));
  await assert.rejects(run(), ArchiveDamaged);
  // Another archive of as many rows.
  await writeFile(join(folder, name), gzipSync('{}\n'));
  await assert.rejects(run(), ArchiveDamaged);
  assert.equal((await messagesOf(here)).length, 1);
  await writeFile(join(folder, name), bytes);
  await run();
  assert.deepEqual(await messagesOf(here), []);
});

for (const isShared of [false, true]) {
  test(`rows of hundreds of kilobytes are read a few at a time (${isShared ? 'rows deleted' : 'a partition dropped'})`, async () => {
    const { january } = await newYear();
    const here = await scene();
    if (isShared) await addPush(await scene(), january);
    for (let count = 0; count < 60; count += 1) await addPush(here, january);
    const large = { text: 'ж'.repeat(150_000) };
    await sql`update messages set content = ${sql.json(large)} where project_id = ${here.projectId}`;
    const all = await messagesOf(here);
    await keep(here.projectId, { messages: 3 });
    let most = 0;
    const measured = poolWith(async ({ values }, send) => {
      const rows = await send();
      most = Math.max(most, Buffer.byteLength(JSON.stringify([values, rows])));
      return rows;
    });
    await run(measured);
    assert.deepEqual(await messagesOf(here), []);
    assert.deepEqual(await archivedOf(here, 'messages'), all);
    assert.ok(most < 8 * 2 ** 20, `${most} bytes in a statement`);
    await sql`delete from retention`;
  });

  test(`what fails for one project is an error, and delays no other (${isShared ? 'rows deleted' : 'a partition dropped'})`, async () => {
    const { january, february } = await newYear();
    const [first, second, keeper] = [await scene(), await scene(), await scene()];
    if (isShared) await addPush(keeper, january);
    for (const here of [first, second]) {
      await addPush(here, january);
      await addPush(here, february);
      await keep(here.projectId, { messages: 3 });
    }
    const failing = first.projectId;
    const broken = poolWith(async ({ text, values }, send) => {
      if (text.includes('to_jsonb(old)') && values.includes(failing)) throw new Died();
      return await send();
    });
    await assert.rejects(run(broken), Died);
    assert.equal((await messagesOf(first)).length, 2);
    assert.deepEqual(await messagesOf(second), []);
    await run();
    assert.deepEqual(await messagesOf(first), []);
    await sql`delete from retention`;
  });
}

test('a row that changes after it was archived is archived again before it goes', async () => {
  const { january } = await newYear();
  const [here, keeper] = [await scene(), await scene()];
  await addPush(keeper, january);
  const id = await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await dieAfterArchive();
  await sql`update messages set state = 'READ', read_at = ${clock.now()} where id = ${id}`;
  await run();
  assert.deepEqual(await messagesOf(here), []);
  assert.deepEqual(await archivedOf(here, 'messages'), [id, id]);
});

test('receipts and answers to a message that is gone are taken calmly', async () => {
  const { january } = await newYear();
  const here = await scene();
  const id = await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await run();
  const channel = {
    projectId: here.projectId,
    id: here.channelId,
    platform: 'API_Messenger',
    name: 'M',
  } as const;
  await receiveEvents(context, channel, [
    { kind: 'receipt', message: { uuid: id }, state: 'read', detail: '' },
    { kind: 'receipt', message: { providerId: `provider ${id}` }, state: 'delivered', detail: '' },
    {
      kind: 'message',
      chat: { externalId: 'client' },
      message: { externalId: `provider ${id}`, type: 'text', text: 'Hello', url: null, payload: null },
    },
  ]);
  assert.equal((await messagesOf(here)).length, 1);
});

test('a file goes with its message, and a file of a scenario stays', async () => {
  const { january } = await newYear();
  const here = await scene();
  const { projectId } = here;
  const then = { ...context, clock: manualClock(january), newId: () => uuidv7(january) };
  const upload = (by?: string) =>
    createAttachment(then, {
      projectId,
      name: 'a.txt',
      bytes: Readable.from([Buffer.from('text')]),
      uploader: by === undefined ? 'member' : 'client',
      anyType: true,
      ...(by === undefined ? {} : { by }),
    });
  const [used, ofScenario] = [await upload('client'), await upload()];
  await takeAttachment(then, { projectId, uuid: used.uuid, by: 'client' });
  const folder = join(dataDir, 'files', projectId);
  await keep(projectId, { messages: 12 });
  await run();
  assert.deepEqual(await readdir(folder), [ofScenario.uuid]);
  const [row] = await sql`select bytes from file_quotas where project_id = ${projectId}`;
  assert.equal(row?.bytes, 4);
  await keep(projectId, { messages: 12, files: 3 });
  await run();
  assert.deepEqual(await readdir(folder), [ofScenario.uuid]);
});

test('a run ends soon after the program is asked to stop', async () => {
  const { january } = await newYear();
  const here = await scene();
  await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await removeOld(context, AbortSignal.abort());
  assert.equal((await messagesOf(here)).length, 1);
});

test('archives in object storage are read back, and so is their manifest', async (t) => {
  const storage = await startObjectStorage(t);
  const { january } = await newYear();
  const here = await scene();
  const id = await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  const config = { ...context.config, s3: storage.settings };
  await removeOld({ ...context, config }, never);
  const [archive] = await listArchives(sql, here.projectId);
  assert.ok(archive);
  const lines = [];
  for await (const line of readArchive(config, archive)) lines.push(JSON.parse(line).id);
  assert.deepEqual(lines, [id]);
  const manifest = await findManifest(config, archiveName(archive));
  assert.equal(manifest?.sha256, archive.sha256);
});

/** The only archive of a project, and its file. */
async function archiveOf({ projectId }: Scene) {
  const [archive] = await listArchives(sql, projectId);
  assert.ok(archive);
  return { archive, path: join(dataDir, 'archives', archiveName(archive)) };
}

test('an archive is encrypted, and another key does not open it', async () => {
  const { january } = await newYear();
  const here = await scene();
  await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await run();
  const { archive, path } = await archiveOf(here);
  const bytes = await readFile(path);
  assert.throws(() => gunzipSync(bytes));
  assert.ok(!bytes.includes(here.chatId));
  const config = { ...context.config, secretKey: randomBytes(32).toString('base64') };
  await assert.rejects(
    readArchive(config, archive).next(),
    /does not open: PATCHBAY_SECRET_KEY is another one/,
  );
});

test('a plain archive of an earlier version is read back, and finishes its removal', async () => {
  const { january } = await newYear();
  const [here, keeper] = [await scene(), await scene()];
  await addPush(keeper, january);
  const id = await addPush(here, january);
  await keep(here.projectId, { messages: 3 });
  await dieAfterArchive();
  const { archive, path } = await archiveOf(here);
  const [row] = await sql<[{ line: string }]>`
    select to_jsonb(messages)::text as line from messages where project_id = ${here.projectId}`;
  const plain = gzipSync(`${row.line}\n`);
  const sha256 = createHash('sha256').update(plain).digest('hex');
  const old = { ...archive, is_sealed: false, sha256, bytes: plain.length };
  await rm(path);
  await writeFile(join(dataDir, 'archives', archiveName(old)), plain);
  const { is_sealed: _, ...manifest } = old;
  await writeFile(path.replace('.jsonl.gz.sealed', '.json'), JSON.stringify(manifest));
  await sql`update archives set is_sealed = false, sha256 = ${sha256} where project_id = ${here.projectId}`;

  assert.equal((await findManifest(context.config, archiveName(old)))?.is_sealed, false);
  await run();
  assert.deepEqual([await messagesOf(here), await archivedOf(here, 'messages')], [[], [id]]);
});

test('a manifest that names another archive, or is none, is refused', async () => {
  const place = `${uuidv7(clock.now())}/messages-202601-1`;
  const path = join(dataDir, 'archives', `${place}.json`);
  await mkdir(join(path, '..'), { recursive: true });
  const other = { project_id: '../files', table_name: 'messages', month: '202601', part: 1 };
  for (const manifest of [JSON.stringify(other), 'null', '[]', '{', '']) {
    await writeFile(path, manifest);
    await assert.rejects(findManifest(context.config, place), ArchiveDamaged, manifest);
  }
});

test('the numbers of scenarios go with the messages of their time, day by day, and stay during a legal hold', async () => {
  const [project, other] = [await seedProject(sql), await seedProject(sql)];
  for (const id of [project, other]) {
    await sql`insert into scenarios (project_id, id, name, created_at) values (${id}, 1, 'Hello', ${clock.now()})`;
    await sql`
      insert into scenario_counts (project_id, scenario_id, day, step, way, count)
      select ${id}, 1, day, step::text, 'next', 1
      from unnest('{2026-10-31, 2026-11-30, 2026-12-01, 2027-03-09}'::date[]) as day, generate_series(1, 600) as step`;
  }
  const days = async (id: string) =>
    (
      await sql<{ day: string }[]>`
        select day::text, count(*) from scenario_counts where project_id = ${id} group by day order by day`
    ).map(({ day }) => day);
  const all = ['2026-10-31', '2026-11-30', '2026-12-01', '2027-03-09'];
  await keep(project, { messages: 3, legal_hold: true });
  await run();
  assert.deepEqual(await days(project), all);
  await keep(project, { messages: 3 });
  await run();
  assert.deepEqual(await days(project), all.slice(2));
  assert.deepEqual(await days(other), all);
});
