import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { Sql } from '../../platform/database/database.ts';
import { ensurePartitions } from '../../platform/database/partitions.ts';
import { uuidv7 } from '../../platform/id.ts';
import { lockMessages } from '../messages/scenario-store.ts';
import { claimMessages } from './claim.ts';
import { dueChannels, recordMessages } from './store.ts';

const { sql } = await testDatabase({ after });
const later = new Date(noon.getTime() + 20_000);
const before = new Date(noon.getTime() - 3_600_000);
const monthMs = 31 * 86_400_000;
await ensurePartitions(sql, new Date(noon.getTime() - 3 * monthMs), 6);

type Pace = { rate?: number; tokens?: number; restsUntil?: Date };

async function addChannel({ rate, tokens = 0, restsUntil = noon }: Pace = {}) {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  await sql`
    insert into channel_pace (project_id, channel_id, rate, tokens, tokens_at, resume_at, window_at)
    values (${project}, ${channel}, ${rate ?? null}, ${tokens}, ${noon}, ${restsUntil}, ${noon})`;
  const chat = await seedChat(sql, project, { channelId: channel });
  return { project, channel, chat };
}

type Channel = Awaited<ReturnType<typeof addChannel>>;
type Row = { lane: 0 | 1; state: 'PENDING' | 'IN_PROCESS' | 'SENT'; made: Date; due: Date };

const queued = { lane: 0, state: 'PENDING', made: noon, due: noon } as const;

async function add({ project, channel, chat }: Channel, ...rows: Row[]): Promise<string[]> {
  const ids = rows.map(({ made }) => uuidv7(made));
  await sql`
    insert into messages (
      project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, lane, due_at
    )
    select ${project}, row.id, ${chat}, ${channel}, 'out', 'push', 'TEXT', '{"text": "Hello"}', ${noon}, row.state, row.lane,
      row.due
    from jsonb_to_recordset(${sql.json(rows.map((row, index) => ({ ...row, id: ids[index] ?? '' })))})
      as row (id uuid, state text, lane smallint, due timestamptz)`;
  return ids;
}

const lanesOf = async (channels: Channel[]) => {
  const dueAt = new Map((await dueChannels(sql, noon)).map((lane) => [lane.key, lane.dueAt]));
  return channels.map(({ channel }) => dueAt.get(channel)?.toISOString() ?? null);
};

test('the lanes of a channel belong to its project', async () => {
  const channel = await addChannel();
  const waiting = { state: 'PENDING' as const, made: noon, due: noon };
  await add(channel, { ...waiting, lane: 0 }, { ...waiting, lane: 1 });
  const lanes = await dueChannels(sql, noon);
  const owners = lanes.filter(({ key }) => key === channel.channel).map(({ owner }) => owner);
  assert.deepEqual(owners, [channel.project]);
});

test('a look finds the first waiting message of every channel, of any age, lane and state', async () => {
  const channels = [await addChannel(), await addChannel(), await addChannel()];
  const row = fc.record({
    lane: fc.constantFrom(0 as const, 1 as const),
    state: fc.constantFrom('PENDING' as const, 'IN_PROCESS' as const, 'SENT' as const),
    made: fc.integer({ min: -3, max: 2 }).map((months) => new Date(noon.getTime() + months * monthMs)),
    // In the past, or with a launch time years ahead.
    due: fc.integer({ min: 1, max: 40 * monthMs }).map((ms) => new Date(noon.getTime() + ms)),
  });
  const rowsOfEach = fc.array(fc.array(row, { maxLength: 6 }), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(rowsOfEach, async (rows) => {
      await sql`delete from messages`;
      for (const [index, channel] of channels.entries()) await add(channel, ...(rows[index] ?? []));
      const expected = rows.map((some) => {
        const waiting = some.filter(({ state }) => state !== 'SENT').map(({ due }) => due.toISOString());
        return waiting.sort()[0] ?? null;
      });
      assert.deepEqual(await lanesOf(channels), expected);
    }),
    { numRuns: 30 },
  );
  await sql`delete from messages`;
});

/** How often a look scans a table or an index of messages. */
const scansOfLook = () =>
  sql.begin(async (transaction) => {
    const read = () => transaction<{ count: number }[]>`
      select sum(idx_scan + seq_scan)::int as count from pg_stat_xact_user_tables where relname like 'messages%'`;
    const [before] = await read();
    await dueChannels(transaction, noon);
    const [afterwards] = await read();
    return (afterwards?.count ?? 0) - (before?.count ?? 0);
  });

test('a look reads as much with many idle channels as with few', async () => {
  const busy = await addChannel();
  await add(busy, queued);
  const withFew = await scansOfLook();
  for (let n = 0; n < 30; n += 1) await addChannel();
  assert.ok(withFew > 0);
  assert.equal(await scansOfLook(), withFew);
  await sql`delete from messages`;
});

test('a look reads as much of a long queue as of a short one', async () => {
  const channel = await addChannel();
  await add(channel, queued);
  const ofOne = await scansOfLook();
  await add(
    channel,
    ...Array.from({ length: 30 }, (_, n) => ({ ...queued, due: new Date(noon.getTime() + n) })),
  );
  assert.equal(await scansOfLook(), ofOne);
  await sql`delete from messages`;
});

test('a channel is due no sooner than the end of its pause, and a paused one never', async () => {
  const [resting, paused] = [await addChannel(), await addChannel()];
  await sql`update channel_pace set resume_at = ${later} where channel_id = ${resting.channel}`;
  await sql`update channels set state = 'paused' where id = ${paused.channel}`;
  for (const channel of [resting, paused]) await add(channel, queued);
  assert.deepEqual(await lanesOf([resting, paused]), [later.toISOString(), null]);
  await sql`delete from messages`;
});

test('two workers share one bucket', twoSessions, async () => {
  const channel = await addChannel({ rate: 30, tokens: 3 });
  await add(channel, ...Array(10).fill(queued));
  const claim = async (session: Sql) =>
    await claimMessages(session, [{ channelId: channel.channel, free: 2 }], {
      lease: uuidv7(noon),
      now: noon,
      leaseUntil: later,
    });
  const [first, waiting] = await sql.begin(async (transaction) => {
    const taken = await claim(transaction);
    const second = claim(sql);
    await somebodyWaits(sql);
    return [taken, [second]] as const;
  });
  assert.deepEqual([first.length, (await waiting[0]).length], [2, 1]);
  await sql`delete from messages`;
});

test('channels are locked in one order, whatever the order of the request', twoSessions, async () => {
  const channels = [(await addChannel()).channel, (await addChannel()).channel];
  const [first = '', last = ''] = channels.toSorted();
  const claim = async () =>
    await claimMessages(
      sql,
      [last, first].map((channelId) => ({ channelId, free: 1 })),
      { lease: uuidv7(noon), now: noon, leaseUntil: later },
    );
  const [waiting] = await sql.begin(async (transaction) => {
    await transaction`select from channel_pace where channel_id = ${first} for update`;
    const claiming = claim();
    await somebodyWaits(sql);
    const free = await sql`select from channel_pace where channel_id = ${last} for update skip locked`;
    assert.equal(free.length, 1);
    return [claiming] as const;
  });
  await waiting;
});

test('one statement claims from each channel up to its free places and its pace', async () => {
  const [many, slow, paused, resting, none] = [
    await addChannel(),
    await addChannel({ rate: 30, tokens: 2 }),
    await addChannel(),
    await addChannel(),
    await addChannel(),
  ];
  await sql`update channels set state = 'paused' where id = ${paused.channel}`;
  await sql`update channel_pace set resume_at = ${later} where channel_id = ${resting.channel}`;
  const five = Array(5).fill(queued);
  for (const channel of [many, slow, paused, resting]) await add(channel, ...five);
  await add(many, { ...queued, due: later }, { ...queued, state: 'SENT' });
  const claims = [many, slow, paused, resting, none].map(({ channel }) => ({ channelId: channel, free: 4 }));
  const claim = () => claimMessages(sql, claims, { lease: uuidv7(noon), now: noon, leaseUntil: later });
  const counts = (claimed: { channel_id: string }[]) =>
    [many, slow, paused, resting, none].map(
      ({ channel }) => claimed.filter(({ channel_id }) => channel_id === channel).length,
    );
  assert.deepEqual(counts(await claim()), [4, 2, 0, 0, 0]);
  assert.deepEqual(counts(await claim()), [1, 0, 0, 0, 0]);
  const left = await sql`
    select claimed::int, tokens from channel_pace where channel_id = any (${[many.channel, slow.channel]})
    order by rate nulls first`;
  assert.deepEqual(
    [...left],
    [
      { claimed: 5, tokens: 0 },
      { claimed: 2, tokens: 0 },
    ],
  );
  await sql`delete from messages`;
});

test('a claim whose time is before the last one takes what is left of the pace, and no channel suffers', async () => {
  const [many, spent, some] = [
    await addChannel({ restsUntil: before }),
    await addChannel({ rate: 500, tokens: 0.5, restsUntil: before }),
    await addChannel({ rate: 500, tokens: 2, restsUntil: before }),
  ];
  const channels = [many, spent, some];
  for (const channel of channels) await add(channel, ...Array(5).fill({ ...queued, due: before }));
  const claim = async (now: Date) => {
    const asked = channels.map(({ channel }) => ({ channelId: channel, free: 4 }));
    const claimed = await claimMessages(sql, asked, { lease: uuidv7(noon), now, leaseUntil: later });
    return channels.map(({ channel }) => claimed.filter(({ channel_id }) => channel_id === channel).length);
  };
  // Another worker's claim was first, though its time is later.
  assert.deepEqual(await claim(new Date(noon.getTime() - 10)), [4, 0, 2]);
  // The next claim gets the tokens since the latest time, not since the earlier one.
  assert.deepEqual(await claim(noon), [1, 0, 0]);
  await sql`delete from messages`;
});

test('a pace continues after the clock of the database went back by an hour', async () => {
  const channel = await addChannel({ rate: 30, restsUntil: before });
  await sql`update channel_pace set rate_ceiling = 30 where channel_id = ${channel.channel}`;
  await add(channel, ...Array(5).fill({ ...queued, due: before }));
  const claim = (now: Date) =>
    claimMessages(sql, [{ channelId: channel.channel, free: 9 }], {
      lease: uuidv7(noon),
      now,
      leaseUntil: later,
    });
  assert.equal((await claim(before)).length, 3);
  assert.equal((await claim(before)).length, 0);
  assert.equal((await claim(new Date(before.getTime() + 50))).length, 1);
  const [pace] = await sql<
    [{ rate: number }]
  >`select rate from channel_pace where channel_id = ${channel.channel}`;
  assert.equal(pace.rate, 30);
  await sql`delete from messages`;
});

test('every tenth place is reserved for the regular lane of each channel separately', async () => {
  const channels = [await addChannel(), await addChannel()];
  const [first, second] = channels;
  if (!first || !second) throw new Error('there are two channels');
  await add(first, ...Array(30).fill(queued), ...Array(30).fill({ ...queued, lane: 1 }));
  await add(second, ...Array(3).fill(queued), ...Array(30).fill({ ...queued, lane: 1 }));
  const claimed = await claimMessages(
    sql,
    channels.map(({ channel }) => ({ channelId: channel, free: 20 })),
    { lease: uuidv7(noon), now: noon, leaseUntil: later },
  );
  const lanes = await sql<{ channel_id: string; lane: number }[]>`
    select channel_id, lane from messages where id = any (${claimed.map(({ id }) => id)})`;
  const counts = channels.map(({ channel }) =>
    [0, 1].map((lane) => lanes.filter((row) => row.channel_id === channel && row.lane === lane).length),
  );
  assert.deepEqual(counts, [
    [18, 2],
    [3, 17],
  ]);
});

test('a result and the turn of a scenario never wait for each other', twoSessions, async () => {
  const channel = await addChannel();
  const made = [0, 1, 2].map((ms) => ({ ...queued, made: new Date(noon.getTime() + ms) }));
  const [next = '', first = '', other = ''] = await add(channel, ...made);
  const lease = uuidv7(noon);
  await sql`update messages set state = 'IN_PROCESS', lease = ${lease} where id in (${first}, ${other})`;
  await sql`update messages set next_id = ${next} where id = ${first}`;
  await sql`update messages set source = 'scenario', channel_id = null, due_at = null where id = ${next}`;
  const result = (id: string) => ({
    project_id: channel.project,
    id,
    lease,
    state: 'SENT',
    due_at: noon.toISOString(),
  });
  const waiting: Promise<unknown>[] = [];
  await sql.begin(async (holding) => {
    await holding`select from messages where id = ${other} for update`;
    waiting.push(recordMessages(sql, [result(first), result(other)], [], noon));
    await somebodyWaits(sql);
    const keys = [next, other].map((id) => ({ project_id: channel.project, id }));
    waiting.push(sql.begin((turn) => lockMessages(turn, keys)));
    await somebodyWaits(sql, 2);
  });
  await Promise.all(waiting);
  const states = await sql<{ state: string }[]>`
    select state from messages where project_id = ${channel.project} order by id`;
  assert.deepEqual(
    states.map(({ state }) => state),
    ['PENDING', 'SENT', 'SENT'],
  );
});
