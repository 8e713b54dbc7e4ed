import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase, testDatabaseKind } from '../../../test/database.ts';
import { makeRoom } from './make-room.ts';

const { sql } = await testDatabase({ after });

/** How long work waits after a step. */
async function waitAfter(tookMs: number, { isOneSession = true, isBusy = true } = {}): Promise<number> {
  let waited = 0;
  await makeRoom({ isOneSession, isBusy: () => isBusy }, tookMs, async (ms) => {
    waited += ms;
  });
  return waited;
}

test('on the embedded database, work makes room for others after each long step', async () => {
  assert.equal(await waitAfter(100), 100);
  assert.equal(await waitAfter(5_000), 1_000);
  assert.equal(await waitAfter(19), 0);
});

test('work does not wait for nobody, nor on a server', async () => {
  assert.equal(await waitAfter(100, { isBusy: false }), 0);
  assert.equal(await waitAfter(100, { isOneSession: false }), 0);
});

test('a pool knows whether statements are under way, and whether one session runs them', async () => {
  assert.equal(sql.isOneSession, testDatabaseKind === 'embedded');
  assert.equal(sql.isBusy(), false);
  const statement = sql`select`.execute();
  assert.equal(sql.isBusy(), true);
  await statement;
  assert.equal(sql.isBusy(), false);
});
