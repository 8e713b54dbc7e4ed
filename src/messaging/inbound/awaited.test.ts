import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedMessage, seedProject } from '../../../test/seed.ts';
import { awaitedInTurn } from './awaited.ts';

const { sql } = await testDatabase({ after });
const since = new Date(noon.getTime() - 60_000);

async function scene(count: number) {
  const projectId = await seedProject(sql);
  const id = await seedChannel(sql, projectId);
  const chatId = await seedChat(sql, projectId, { channelId: id });
  const ids: string[] = [];
  for (let place = 0; place < count; place += 1) {
    ids.push(await seedMessage(sql, projectId, { chatId, channelId: id, state: 'SENT' }));
  }
  await sql`update messages set sent_at = ${noon} where channel_id = ${id}`;
  return { channel: { projectId, id }, ids: ids.toSorted() };
}

test('however many messages are unread, each is asked about in turn, and the newest always', async () => {
  const { channel, ids } = await scene(9);
  const rounds: string[][] = [];
  let turn: string | null = null;
  for (let round = 0; round < 9; round += 1) {
    const next = await awaitedInTurn(sql, channel, { since, turn, most: 2 });
    rounds.push(next.rows.map(({ id }) => id));
    turn = next.turn;
  }
  for (const round of rounds) assert.ok(round.length <= 4 && ids.slice(-2).every((id) => round.includes(id)));
  // Seven older ones, two a round.
  for (const from of [0, 4])
    assert.deepEqual([...new Set(rounds.slice(from, from + 4).flat())].toSorted(), ids);
});

test('a few messages are all asked about in each round, once', async () => {
  const { channel, ids } = await scene(2);
  const found = await awaitedInTurn(sql, channel, { since, turn: null, most: 3 });
  assert.deepEqual([found.rows.map(({ id }) => id).toSorted(), found.turn], [ids, null]);
});

test('a turn that a read message leaves behind asks about no message twice in a round', async () => {
  const { channel, ids } = await scene(5);
  const { turn } = await awaitedInTurn(sql, channel, { since, turn: null, most: 2 });
  assert.equal(turn, ids[1]);
  await sql`update messages set state = 'READ' where id in (${ids[4] ?? ''}, ${ids[3] ?? ''}, ${ids[2] ?? ''})`;
  const next = await awaitedInTurn(sql, channel, { since, turn, most: 1 });
  assert.deepEqual(
    next.rows.map(({ id }) => id),
    [ids[1], ids[0]],
  );
});
