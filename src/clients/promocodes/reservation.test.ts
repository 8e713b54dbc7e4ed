import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedChannel, seedChat, seedProject } from '../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { moveMessages } from '../../messaging/chats/receipts-store.ts';
import { cancelPending } from '../../messaging/push-messages/store.ts';
import { recordMessages } from '../../messaging/sending/store.ts';
import { changeCode } from './codes-store.ts';
import { insertGroup } from './groups-store.ts';
import { insertCodes } from './new-codes-store.ts';
import { countAvailable, findGroupsNamed, type NamedGroup, takeCodes } from './reservation-store.ts';

const clock = manualClock();
const database = await testDatabase({ after });
const context = testContext(database, clock);
const { sql, newId } = context;
const projectId = await seedProject(sql);
const channelId = await seedChannel(sql, projectId);
const chatId = await seedChat(sql, projectId, { channelId });
const now = clock.now();
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);

let groups = 0;
async function newGroup(codes: number, expiresAt: Date | null = null): Promise<NamedGroup> {
  groups += 1;
  const group = { id: newId(), name: `Group ${groups}` };
  await insertGroup(sql, projectId, { ...group, createdAt: now });
  for (let n = 1; n <= codes; n += 1) await newCode(group, `${groups}-${n}`, expiresAt);
  return group;
}

async function newCode({ id }: NamedGroup, code: string, expiresAt: Date | null): Promise<void> {
  const [outcome] = await insertCodes(sql, [
    {
      project_id: projectId,
      id: newId(),
      group_id: id,
      code,
      status: 'AVAILABLE',
      issued_chat_id: null,
      issued_at: null,
      expires_at: expiresAt,
      created_at: now,
    },
  ]);
  assert.equal(outcome, 'written');
}

const newMessages = (count: number) =>
  Array.from({ length: count }, () => ({ message_id: newId(), chat_id: chatId }));

const codesIn = (taken: { promocodes: Record<string, string> }[]): string[] =>
  taken.flatMap(({ promocodes }) => Object.values(promocodes));

const take = (group: NamedGroup, count: number) =>
  takeCodes(sql, projectId, [group], newMessages(count), now);

const availableIn = ({ id }: NamedGroup): Promise<number> => countAvailable(sql, projectId, id, now, 1_000);

/** A message that was queued with a code of the group. It has the lease with which its result is recorded. */
async function queued(group: NamedGroup, state: string) {
  const [recipient] = newMessages(1);
  assert.ok(recipient);
  const [taken] = await takeCodes(sql, projectId, [group], [recipient], now);
  assert.ok(taken);
  const lease = newId();
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
      state, lease)
    values (${projectId}, ${taken.message_id}, ${chatId}, ${channelId}, 'out', 'push', 'NODE',
      ${sql.json({ promocodes: taken.promocodes })}, ${now}, ${state}, ${lease})`;
  return { id: taken.message_id, lease };
}

const failing = ({ id, lease }: { id: string; lease: string }, state: string, unheard: boolean) =>
  recordMessages(
    sql,
    [
      {
        project_id: projectId,
        id,
        lease,
        state,
        due_at: now.toISOString(),
        unheard,
      },
    ],
    [],
    now,
  );

const undelivered = ({ id }: { id: string }) =>
  moveMessages(
    sql,
    [
      {
        project_id: projectId,
        id,
        state: 'UNDELIVERED',
        state_detail: '',
        from: ['IN_PROCESS', 'SENT', 'DELIVERED'],
      },
    ],
    [],
    now,
  );

test('twenty concurrent takers never share a code, and leave none behind', async () => {
  const group = await newGroup(50);
  const takers = await Promise.all(Array.from({ length: 20 }, () => take(group, 3)));
  const codes = codesIn(takers.flat());
  assert.equal(codes.length, 50);
  assert.equal(new Set(codes).size, 50);
  assert.equal(await availableIn(group), 0);
  assert.equal((await take(group, 1)).length, 0);
});

test('a code that another transaction is taking is skipped without waiting', twoSessions, async () => {
  const group = await newGroup(2);
  await sql.begin(async (transaction) => {
    const first = codesIn(await takeCodes(transaction, projectId, [group], newMessages(1), now));
    const second = codesIn(await take(group, 2));
    assert.deepEqual([first.length, second.length], [1, 1]);
    assert.notEqual(first[0], second[0]);
  });
});

test('a code that expires at this moment has expired', async () => {
  const group = await newGroup(1, now);
  assert.equal(await availableIn(group), 0);
  assert.equal((await take(group, 1)).length, 0);
});

test('codes are stored in one order, whatever the order of the request', twoSessions, async () => {
  const group = await newGroup(0);
  const code = (text: string) => ({
    project_id: projectId,
    id: newId(),
    group_id: group.id,
    code: text,
    status: 'AVAILABLE' as const,
    issued_chat_id: null,
    issued_at: null,
    expires_at: null,
    created_at: now,
  });
  let waiting: Promise<unknown> = Promise.resolve();
  await sql.begin(async (transaction) => {
    await insertCodes(transaction, [code('A of two')]);
    waiting = insertCodes(sql, [code('B of two'), code('A of two')]);
    await somebodyWaits(sql);
    // A statement that waits for the first has not stored the second yet.
    assert.deepEqual(await insertCodes(sql, [code('B of two')]), ['written']);
  });
  assert.deepEqual(await waiting, ['taken', 'taken']);
});

test('a taken code is issued to its recipient’s chat, now', async () => {
  const group = await newGroup(1);
  await take(group, 1);
  const [code] = await sql`
    select status, issued_chat_id, issued_at from promocodes where project_id = ${projectId} and group_id = ${group.id}`;
  assert.deepEqual({ ...code }, { status: 'ISSUED', issued_chat_id: chatId, issued_at: now });
});

test('the codes that expire first are taken first, then the oldest; expired codes are never taken', async () => {
  const group = await newGroup(0);
  await newCode(group, 'for ever 1', null);
  await newCode(group, 'for ever 2', null);
  await newCode(group, 'lapsed', now);
  await newCode(group, 'tomorrow', inHours(24));
  await newCode(group, 'soon', inHours(1));
  assert.equal(await availableIn(group), 4);
  const taken = [];
  for (let n = 0; n < 5; n += 1) taken.push(...codesIn(await take(group, 1)));
  assert.deepEqual(taken, ['soon', 'tomorrow', 'for ever 1', 'for ever 2']);
});

test('a recipient who needs codes of two groups takes both or none', async () => {
  const [much, little] = [await newGroup(3), await newGroup(1)];
  const [taken, ...rest] = await takeCodes(sql, projectId, [much, little], newMessages(2), now);
  assert.deepEqual(rest, []);
  assert.deepEqual(Object.keys(taken?.promocodes ?? {}), [much.name, little.name]);
  assert.deepEqual([await availableIn(much), await availableIn(little)], [2, 0]);
});

test('a name in a text means the oldest group of that name, in its own project only', async () => {
  const [older, newer] = [await newGroup(0), await newGroup(0)];
  await sql`update promocode_groups set name = ${older.name} where id = ${newer.id}`;
  assert.deepEqual([...(await findGroupsNamed(sql, projectId, [older.name, 'unknown']))], [older]);
  assert.equal((await findGroupsNamed(sql, await seedProject(sql), [older.name])).length, 0);
});

test('a code goes back when its message is cancelled, and when the message failed before delivery', async () => {
  const group = await newGroup(1);
  const planned = await queued(group, 'PENDING');
  assert.equal(await availableIn(group), 0);
  assert.ok(await cancelPending(sql, projectId, planned.id, [], now));
  assert.equal(await availableIn(group), 1);
  for (const state of ['UNDELIVERED', 'ERROR']) {
    await failing(await queued(group, 'IN_PROCESS'), state, true);
    assert.equal(await availableIn(group), 1, state);
  }
});

test('a code stays where the client may have seen it', async () => {
  const doubtful = await newGroup(1);
  await failing(await queued(doubtful, 'IN_PROCESS'), 'UNDELIVERED', false);
  const sent = await newGroup(1);
  await failing(await queued(sent, 'IN_PROCESS'), 'SENT', false);
  const reported = await newGroup(2);
  for (const state of ['IN_PROCESS', 'SENT']) await undelivered(await queued(reported, state));
  for (const group of [doubtful, sent, reported]) assert.equal(await availableIn(group), 0);
});

test('a code is given back once, whatever happens together: cancels, results, receipts, takers', async () => {
  const group = await newGroup(4);
  const messages = [];
  for (const state of ['PENDING', 'PENDING', 'IN_PROCESS', 'IN_PROCESS'])
    messages.push(await queued(group, state));
  const [taken] = await Promise.all([
    Promise.all(Array.from({ length: 12 }, () => take(group, 1))),
    ...messages.flatMap((message) => [
      cancelPending(sql, projectId, message.id, [], now),
      cancelPending(sql, projectId, message.id, [], now),
      failing(message, 'ERROR', true),
      undelivered(message),
    ]),
  ]);
  const again = codesIn(taken.flat());
  assert.equal(new Set(again).size, again.length);
  const [held] = await sql`
    select count(*)::int as count from promocodes
    join messages on messages.project_id = promocodes.project_id and messages.id = reserved_for
    where promocodes.project_id = ${projectId} and group_id = ${group.id} and messages.state = 'UNDELIVERED'`;
  assert.equal(again.length + (await availableIn(group)) + held?.count, 4);
});

test('a code that a person issues by hand stays issued, and its message does not give it back', async () => {
  const group = await newGroup(1);
  const message = await queued(group, 'PENDING');
  const [code] = await sql<{ id: string }[]>`select id from promocodes where group_id = ${group.id}`;
  const change = (changes: Parameters<typeof changeCode>[3]) =>
    changeCode(sql, projectId, code?.id ?? '', changes, now);
  await change({ expiresAt: inHours(1) });
  await change({ issuedChatId: chatId });
  await cancelPending(sql, projectId, message.id, [], now);
  assert.equal(await availableIn(group), 0);
  await change({ status: 'AVAILABLE' });
  assert.equal(await availableIn(group), 1);
});
