import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedChannel, seedProject } from '../../../test/seed.ts';
import { OutboundFailed } from '../../platform/outbound/outbound.ts';
import { CredentialsRefused } from '../contract/failure.ts';
import { widget } from '../messengers/widget/adapter.ts';
import type { Channel } from './channels.ts';
import { clientOf } from './client.ts';

const database = await testDatabase({ after });
const clock = manualClock();
const context = testContext(database, clock);
const { sql } = context;
const hourMs = 3_600_000;

/** A channel with tokens for an hour, and one client for each process. */
async function scene() {
  const projectId = await seedProject(sql);
  const id = await seedChannel(sql, projectId, 'Avito');
  const channel: Channel = {
    projectId,
    id,
    platform: 'Avito',
    name: 'Shop',
    settings: {},
    state: 'active',
    isCalled: false,
  };
  let fetched = 0;
  const knowns: (string | undefined)[] = [];
  let problem: Error | null = null;
  let livesMs = hourMs;
  const adapter = {
    ...widget,
    token: async (_settings: unknown, _http: unknown, known?: string) => {
      knowns.push(known);
      fetched += 1;
      const value = `token ${fetched}`;
      await Promise.resolve();
      if (problem) throw problem;
      return { value, livesMs };
    },
  };
  return {
    channel,
    client: () => clientOf(context, adapter, channel, context.outbound),
    fetched: () => fetched,
    knowns,
    live: (ms: number) => {
      livesMs = ms;
    },
    fail: (error: Error | null) => {
      problem = error;
    },
  };
}

test('a token is fetched once for any number of processes, and is stored encrypted', async () => {
  const { client, fetched, channel } = await scene();
  const tokens = await Promise.all([client(), client(), client()].map((one) => one.token()));
  assert.deepEqual(tokens, ['token 1', 'token 1', 'token 1']);
  assert.equal(fetched(), 1);
  const [row] = await sql<{ sealed_token: Buffer }[]>`
    select sealed_token from channel_tokens where channel_id = ${channel.id}`;
  assert.ok(row && !row.sealed_token.includes('token 1'));
});

test('a token that lives for ever, as its provider says, is used and renewed within two months', async () => {
  for (const said of [1e300, 8.64e15]) {
    const { client, fetched, live } = await scene();
    live(said);
    assert.equal(await client().token(), 'token 1');
    assert.equal(await client().token(), 'token 1');
    clock.advance(60 * 24 * hourMs);
    assert.equal(await client().token(), 'token 2');
    assert.equal(fetched(), 2);
  }
});

test('a token is renewed before it expires, from the last one', async () => {
  const { client, fetched, knowns } = await scene();
  await client().token();
  clock.advance(0.79 * hourMs);
  assert.equal(await client().token(), 'token 1');
  clock.advance(0.02 * hourMs);
  assert.equal(await client().token(), 'token 2');
  assert.equal(fetched(), 2);
  assert.deepEqual(knowns, [undefined, 'token 1']);
});

test('a refused token is replaced, once for all of its users', async () => {
  const { client, fetched } = await scene();
  const first = await client().token();
  assert.deepEqual(await Promise.all([client().token(first), client().token(first)]), ['token 2', 'token 2']);
  assert.equal(fetched(), 2);
});

test('a failed fetch delays no other, and no message counts as sent by it', async () => {
  const { client, fail } = await scene();
  fail(new OutboundFailed('timeout', true));
  await assert.rejects(client().token(), { requestWritten: false });
  fail(new CredentialsRefused('Wrong secret.'));
  await assert.rejects(client().token(), { message: 'Wrong secret.' });
  fail(null);
  assert.match(await client().token(), /^token /);
});
