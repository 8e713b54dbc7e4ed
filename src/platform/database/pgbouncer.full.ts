import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/faults/until.ts';
import { findProgram } from '../../../test/ha/packages.ts';
import { startPgbouncer } from '../../../test/ha/pgbouncer.ts';
import { openWorkshop } from '../../../test/ha/processes.ts';
import { postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { isDatabaseUnavailable } from './database.ts';
import { createPool, type Pool, type Sql } from './pool.ts';
import { readDatabaseUrl } from './server-address.ts';

const binaries = postgresBinaries();
const skip = reasonToSkip();

function reasonToSkip(): string | false {
  if (!binaries) return 'PostgreSQL binaries not found';
  return findProgram('pgbouncer') ? false : 'PgBouncer not found';
}

/** A pool of eight behind a PgBouncer with two connections, and a direct pool that looks at the server. */
async function openPools(t: TestContext, statementTimeoutMs = 1_000) {
  assert.ok(binaries);
  const server = await startPostgres(binaries);
  const workshop = openWorkshop();
  const port = await startPgbouncer(workshop, { server: new URL(server.url).host, poolSize: 2 });
  const address = readDatabaseUrl(`postgres://postgres@127.0.0.1:${port}/postgres`);
  const pool = await firstPool(() => createPool(address, { max: 8, statementTimeoutMs }));
  const direct = await createPool(readDatabaseUrl(server.url), { max: 1, statementTimeoutMs });
  t.after(async () => {
    await Promise.all([pool.end(), direct.end()]);
    await workshop.close();
    await server.remove();
  });
  return { pool, direct };
}

/** PgBouncer gives no sign when it is ready. */
async function firstPool(open: () => Promise<Pool>): Promise<Pool> {
  let pool: Pool | undefined;
  await until(async () => {
    pool = await open().catch(() => undefined);
    return pool !== undefined;
  });
  assert.ok(pool);
  return pool;
}

const timeoutIn = async (sql: Sql) =>
  (await sql<{ timeout: string }[]>`select current_setting('statement_timeout') as timeout`)[0]?.timeout;

test('behind PgBouncer, statements and transactions share two connections and stay separate', {
  skip,
}, async (t) => {
  // On a busy machine the last of the statements waits for seconds.
  const { pool, direct } = await openPools(t, 60_000);
  await pool`create table counted (n int)`;
  const turns = Array.from({ length: 200 }, (_, n) => n);
  await Promise.all(
    turns.map(async (n) => {
      if (n % 4 === 0) assert.deepEqual(await pool`select ${n}::int as n`, [{ n }]);
      else if (n % 4 === 1) await pool`insert into counted values (${n})`;
      else
        await pool
          .begin(async (transaction) => {
            await transaction`insert into counted values (${n})`;
            assert.equal(await timeoutIn(transaction), '1min');
            const [row] = await transaction`select count(*) as own from counted where n = ${n}`;
            assert.equal(row?.own, 1);
            if (n % 4 === 3) throw new Error('changed my mind');
          })
          .catch((error: unknown) => assert.match(String(error), /changed my mind/));
    }),
  );
  const kept = await pool<{ n: number }[]>`select n from counted order by n`;
  assert.deepEqual(
    kept.map(({ n }) => n),
    turns.filter((n) => n % 4 === 1 || n % 4 === 2),
  );
  const [row] = await direct`
    select count(*) as connections from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  assert.equal(row?.connections, 2);
});

test('behind PgBouncer, a connection keeps no setting and no prepared statement', {
  skip,
}, async (t) => {
  const { pool } = await openPools(t);
  for (let time = 0; time < 3; time += 1) {
    await pool.begin(async (transaction) => void (await timeoutIn(transaction)));
    // Both connections are asked, because each is taken while the other is busy.
    const asked = ['a', 'b'].map(
      () => pool<{ timeout: string; idle: string; prepared: number }[]>`
        select current_setting('statement_timeout') as timeout, pg_sleep(0.05),
          current_setting('idle_in_transaction_session_timeout') as idle,
          (select count(*) from pg_prepared_statements) as prepared`,
    );
    for (const [row] of await Promise.all(asked)) {
      assert.deepEqual([row?.timeout, row?.idle, row?.prepared], ['0', '0', 0]);
    }
  }
});

test('behind PgBouncer, the client gives up a slow statement, and the server a slow transaction', {
  skip,
}, async (t) => {
  const { pool } = await openPools(t);
  await assert.rejects(
    pool.begin((transaction) => transaction`select pg_sleep(5)`),
    { code: '57014' },
  );
  await assert.rejects(
    async () => pool`select pg_sleep(5)`,
    (error: unknown) => isDatabaseUnavailable(error) && /has not answered/.test(String(error)),
  );
  assert.deepEqual(await pool`select 1 as n`, [{ n: 1 }]);
});

test('behind PgBouncer, a slow statement does not disturb the others', { skip }, async (t) => {
  const { pool } = await openPools(t);
  const slow = assert.rejects(async () => pool`select pg_sleep(5)`, isDatabaseUnavailable);
  for (let n = 0; n < 20; n += 1) assert.equal((await pool`select ${n}::int as n, pg_sleep(0.1)`)[0]?.n, n);
  await slow;
});
