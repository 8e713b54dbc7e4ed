import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { seedChannel, seedChat, seedMessage, seedProject } from '../seed.ts';
import { checkModel } from './check-model.ts';
import { legalMoves, states } from './message-model.ts';

test('a message moves as the model says under arbitrary workers, clients and providers', (t) =>
  checkModel(t, 25));

test('the database allows exactly the legal moves of a message between states', async (t) => {
  const { sql } = await testDatabase(t);
  const projectId = await seedProject(sql);
  const channelId = await seedChannel(sql, projectId);
  const chatId = await seedChat(sql, projectId, { channelId });
  for (const from of states) {
    for (const to of states) {
      await sql`truncate messages`;
      await seedMessage(sql, projectId, { chatId, channelId, state: from });
      const moved = await sql`update messages set state = ${to}`.then(
        () => true,
        (error: unknown) => {
          assert.match(String(error), new RegExp(`cannot move from ${from} to ${to}`));
          return false;
        },
      );
      assert.equal(moved, from === to || legalMoves[from].includes(to), `${from} to ${to}`);
    }
  }
});
