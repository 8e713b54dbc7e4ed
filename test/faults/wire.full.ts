import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import pino from 'pino';
import { isDatabaseUnavailable, openDatabase } from '../../src/platform/database/database.ts';
import { createPool, type Pool } from '../../src/platform/database/pool.ts';
import { testDatabase, testDatabaseKind } from '../database.ts';
import { postgresBinaries, startPostgres } from '../postgres.ts';
import { type Fault, startWireProxy } from '../stand-ins/wire-proxy.ts';
import { twoSessions } from '../waiting.ts';
import { ask, createKept, exchangeKinds, wrongAnswer } from './exchanges.ts';
import { until } from './until.ts';
import { anySeed, beginBehind, claimIds, judge, judgeExchanges, loseAtEveryByte } from './wire.ts';

const log = pino({ level: 'silent' });
const onServer = { skip: testDatabaseKind === 'embedded' && 'it is about a server' };

const database = await testDatabase({ after });
const { sql } = database;
await createKept(sql);

/** A pool of one connection, with the same faults on each connection that it makes. */
async function throughProxy(t: TestContext, { faults = [] as Fault[], statementTimeoutMs = 10_000 } = {}) {
  const proxy = await startWireProxy(database.address, () => faults);
  t.after(() => proxy.close());
  const pool = await createPool(proxy.address, { max: 1, statementTimeoutMs });
  t.after(() => pool.end({ timeout: 0 }));
  return { proxy, pool };
}

async function assertOwnRows(pool: Pool): Promise<void> {
  const rows = await pool`select n from generate_series(1, 3) as n`;
  assert.equal(JSON.stringify(rows), '[{"n":1},{"n":2},{"n":3}]');
}

async function keptParts(id: number): Promise<number[]> {
  const rows = await sql<{ part: number }[]>`select part from kept where id = ${id} order by part`;
  return rows.map(({ part }) => part);
}

/** All kinds of exchanges, one of each at once. */
async function assertAllAnswered(pool: Pool): Promise<void> {
  const firstId = claimIds(exchangeKinds.length);
  const asked = exchangeKinds.map(async (kind, index) => {
    const [exchange, id] = [{ kind, size: 20 }, firstId + index];
    return wrongAnswer(exchange, id, await ask(pool, exchange, id, 20_000), () => false);
  });
  assert.deepEqual(
    (await Promise.all(asked)).filter((wrong) => wrong !== undefined),
    [],
  );
}

async function makeThousand(t: TestContext): Promise<void> {
  await sql`create table thousand as select n from generate_series(1, 1000) as n`;
  t.after(async () => {
    await sql`drop table thousand`;
  });
}

test('the statement after one that failed after its rows gets its own rows', async (t) => {
  const { pool } = await throughProxy(t);
  const failing = pool`select 1000 / (400 - n) from generate_series(1, 1000) as n`;
  await assert.rejects(failing, { code: '22012' });
  await assertOwnRows(pool);
});

test('the statement after one that timed out after its rows gets its own rows', onServer, async (t) => {
  const { pool } = await throughProxy(t, { statementTimeoutMs: 500 });
  await assert.rejects(pool`select n, pg_sleep(0.001) from generate_series(1, 100000) as n`, {
    code: '57014',
  });
  await assertOwnRows(pool);
});

test(
  'the statement after one with a lock timeout after its rows gets its own rows',
  twoSessions,
  async (t) => {
    const { pool } = await throughProxy(t);
    await makeThousand(t);
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = sql.begin(async (transaction) => {
      await transaction`select from thousand where n = 400 for update`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const waiting = pool.begin(async (transaction) => {
      await transaction`set local lock_timeout = '50ms'`;
      await transaction`select n from thousand order by n for update`;
    });
    await assert.rejects(waiting, { code: '55P03' });
    await assertOwnRows(pool);
    release.resolve();
    await holding;
  },
);

test(
  'the statement after one with a serialization failure after its rows gets its own rows',
  twoSessions,
  async (t) => {
    const { pool } = await throughProxy(t);
    await makeThousand(t);
    const late = pool.begin(async (transaction) => {
      await transaction`set transaction isolation level repeatable read`;
      await transaction`select count(*) from thousand`;
      await sql`update thousand set n = n where n = 400`;
      await transaction`select n from thousand order by n for update`;
    });
    await assert.rejects(late, { code: '40001' });
    await assertOwnRows(pool);
  },
);

test('an unreadable value fails its own statement, and no other', async (t) => {
  const { pool } = await throughProxy(t);
  const beyond = pool`
    select case n when 3 then 9007199254740993 else n end::bigint as big from generate_series(1, 5) as n`;
  const [failed] = await Promise.allSettled([beyond, assertOwnRows(pool)]);
  assert.equal(failed.status, 'rejected');
  await assertOwnRows(pool);
});

test('an error while a pool is created rejects its creation at most', async (t) => {
  const proxy = await startWireProxy(database.address, () => [{ kind: 'error', at: 0 }]);
  t.after(() => proxy.close());
  await createPool(proxy.address, { max: 1, statementTimeoutMs: 10_000 }).then(
    (pool) => pool.end(),
    () => {},
  );
});

test('answers that arrive byte by byte belong to their statements', async (t) => {
  const faults: Fault[] = [{ kind: 'dribble', way: 'answered', at: 0, bytes: 20_000 }];
  await assertAllAnswered((await throughProxy(t, { faults })).pool);
});

test('statements that arrive byte by byte are answered normally', async (t) => {
  const faults: Fault[] = [{ kind: 'dribble', way: 'asked', at: 0, bytes: 20_000 }];
  await assertAllAnswered((await throughProxy(t, { faults })).pool);
});

test('answers that arrive together in one piece belong to their statements', async (t) => {
  const faults = Array.from(
    { length: 100 },
    (_, piece): Fault => ({ kind: 'delay', way: 'answered', at: 400 * piece, ms: 10 }),
  );
  await assertAllAnswered((await throughProxy(t, { faults })).pool);
});

test('a notice and a changed parameter between any two messages disturb no statement', async (t) => {
  const faults = Array.from({ length: 2_000 }, (_, message): Fault[] => [
    { kind: 'notice', at: message },
    { kind: 'parameter', at: message },
  ]);
  await assertAllAnswered((await throughProxy(t, { faults: faults.flat() })).pool);
});

test('a transaction whose server vanishes is rejected, even if it ignores errors, and leaves nothing', async (t) => {
  const { pool, proxy } = await throughProxy(t);
  const id = claimIds(1);
  const vanished = pool.begin(async (transaction) => {
    await transaction`insert into kept values (${id}, 1)`;
    proxy.cut();
    await assert.rejects(async () => transaction`insert into kept values (${id}, 2)`);
  });
  await assert.rejects(vanished, isDatabaseUnavailable);
  assert.deepEqual(await keptParts(id), []);
});

test('a transaction that ignores a failed statement is not acknowledged', async (t) => {
  const { pool } = await throughProxy(t);
  const id = claimIds(1);
  const failed = pool.begin(async (transaction) => {
    await transaction`insert into kept values (${id}, 1)`;
    await assert.rejects(async () => transaction`select 1 / 0`);
  });
  await assert.rejects(failed);
  assert.deepEqual(await keptParts(id), []);
  await assertOwnRows(pool);
});

test('a transaction that begins behind any number of statements gets its own rows, and keeps others out', async () => {
  // Two pipelines of a hundred, which some drivers have, would be full there.
  assert.deepEqual(await beginBehind(database, 190, 215), []);
});

test('a pool with all its statements ends, although the server has fallen silent', async (t) => {
  const faults: Fault[] = [{ kind: 'silence', way: 'answered', at: 30_000 }];
  const { pool } = await throughProxy(t, { faults, statementTimeoutMs: 1_000 });
  const asked = Array.from({ length: 20 }, () => pool`select n from generate_series(1, 1000) as n`);
  const outcomes = Promise.allSettled(asked);
  await pool.end({ timeout: 1 });
  assert.ok((await outcomes).some(({ status }) => status === 'rejected'));
});

test('a server that restarts costs answers, but gives no wrong ones', onServer, async (t) => {
  const binaries = postgresBinaries();
  assert.ok(binaries);
  const server = await startPostgres(binaries);
  t.after(() => server.remove());
  const restarted = await openDatabase({ databaseUrl: server.url, dataDir: '', log });
  t.after(() => restarted.close());
  await createKept(restarted.sql);
  const isBack = async () =>
    restarted.sql`select 1`.then(
      () => true,
      () => false,
    );
  const exchanges = Array.from({ length: 600 }, (_, index) => ({
    kind: exchangeKinds[index % exchangeKinds.length] ?? 'some rows',
    size: 30,
    turn: index,
  }));
  const { wrong } = await judge({
    database: restarted,
    round: { max: 3, exchanges, faults: [], endTurn: null },
    async trouble() {
      await server.stop();
      await server.start();
      await until(isBack);
    },
  });
  assert.deepEqual(wrong, []);
});

test('a standby refuses writes as unavailable, and the primary behind it is found', onServer, async (t) => {
  const { pool, proxy } = await throughProxy(t);
  const id = claimIds(1);
  const insert = async () => pool`insert into kept values (${id}, 1)`;
  const isStandby = async () =>
    pool`show transaction_read_only`.then(
      ([row]) => row?.transaction_read_only === 'on',
      () => false,
    );
  await setReadOnly('on');
  t.after(() => setReadOnly('off'));
  proxy.cut();
  await until(isStandby);
  await assert.rejects(insert, isDatabaseUnavailable);
  await setReadOnly('off');
  for (let attempt = 0; attempt < 50 && (await keptParts(id)).length === 0; attempt += 1) {
    await insert().catch((error) => assert.ok(isDatabaseUnavailable(error), error));
  }
  assert.deepEqual(await keptParts(id), [1]);
});

/** Affects later connections, like a change to another server. */
const setReadOnly = (value: 'on' | 'off') =>
  sql.begin(async (transaction) => {
    await transaction`set transaction read write`;
    const [row] = await transaction`select format('alter database %I', current_database()) as statement`;
    await transaction.unsafe(`${row?.statement} set default_transaction_read_only = ${value}`);
  });

test('after a cut at any byte, each statement gets its own rows or an error', async (t) => {
  const { wrong, times } = await loseAtEveryByte(database, 'cut', 97);
  t.diagnostic(`${times} cuts`);
  assert.deepEqual(wrong, []);
});

test('after a silence from any byte, each statement gets its own rows or an error', async (t) => {
  const { wrong, times } = await loseAtEveryByte(database, 'silence', 997);
  t.diagnostic(`${times} silences`);
  assert.deepEqual(wrong, []);
});

test('over faulty connections, each statement gets its own rows or an error', async (t) => {
  const { wrong, ...figures } = await judgeExchanges(database, 1_000, anySeed());
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(wrong, []);
});
