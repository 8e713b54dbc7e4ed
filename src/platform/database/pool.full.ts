import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { inTime } from '../../../test/in-time.ts';
import { postgresBinaries, startPostgres } from '../../../test/postgres.ts';
import { startProxy, type TcpProxy } from '../../../test/proxy.ts';
import { poolerBefore } from '../../../test/stand-ins/pooler.ts';
import { isDatabaseUnavailable } from './database.ts';
import { createPool, type Pool, type Sql } from './pool.ts';
import { readDatabaseUrl } from './server-address.ts';

const binaries = postgresBinaries();
const noServer = binaries ? false : 'PostgreSQL binaries not found';
const server = binaries ? await startPostgres(binaries) : undefined;
after(() => server?.remove());

/** The statement timeout of these pools. One second keeps the test short. */
const statementTimeoutMs = 1_000;
/** The promise to a request: an answer within three seconds. */
const promisedMs = 3_000;
const options = { max: 3, statementTimeoutMs };

/** A pool that reaches the server through a proxy. */
async function proxied(run: (pool: Pool, proxy: TcpProxy) => Promise<void>, own = options): Promise<void> {
  assert.ok(server);
  const url = new URL(server.url);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  const pool = await createPool(readDatabaseUrl(url.href), own);
  try {
    await run(pool, proxy);
  } finally {
    await pool.end();
    await proxy.close();
  }
}

/** A pool that reaches the server directly. */
async function ownPool(t: TestContext, max: number): Promise<Pool> {
  assert.ok(server);
  const pool = await createPool(readDatabaseUrl(server.url), { max, statementTimeoutMs });
  t.after(() => pool.end());
  return pool;
}

/** More concurrent work than connections. */
function work(pool: Pool) {
  return Promise.allSettled(
    Array.from({ length: 60 }, (_, n) =>
      n % 10 === 0
        ? pool.begin(async (transaction) => {
            await transaction`select 1`;
            await transaction`select ${n}::int`;
          })
        : pool`select ${n}::int`,
    ),
  );
}

async function assertUnavailable(pool: Pool): Promise<void> {
  const outcomes = await inTime(work(pool), promisedMs);
  for (const outcome of outcomes)
    assert.ok(
      outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason),
      JSON.stringify(outcome),
    );
}

async function assertWorks(pool: Pool): Promise<void> {
  const outcomes = await work(pool);
  assert.deepEqual(
    outcomes.filter(({ status }) => status === 'rejected'),
    [],
  );
}

/** After a loss, the first statement may still fail with it. */
async function untilBack(pool: Pool): Promise<void> {
  for (;;) {
    try {
      await pool`select 1`;
      return;
    } catch (error) {
      assert.ok(isDatabaseUnavailable(error), String(error));
    }
  }
}

test(
  'when packets vanish, every statement is rejected in time, and later ones work again',
  { skip: noServer },
  () =>
    proxied(async (pool, proxy) => {
      await assertWorks(pool);
      proxy.freeze();
      await assertUnavailable(pool);
      await assertUnavailable(pool);
      proxy.thaw();
      await untilBack(pool);
      await assertWorks(pool);
    }),
);

test(
  'a statement that waits behind an unanswered one, and then fails itself, is rejected in time',
  {
    skip: noServer,
  },
  () =>
    proxied(async (pool, proxy) => {
      proxy.freeze();
      await assert.rejects(async () => pool`select 1`, isDatabaseUnavailable);
      const next = assert.rejects(async () => pool`select 1`, isDatabaseUnavailable);
      await inTime(next, 1.5 * statementTimeoutMs);
      proxy.thaw();
      await untilBack(pool);
    }),
);

/** Its answer has a hundred thousand bytes. */
const large = (pool: Pool) => pool<{ text: string }[]>`select repeat('x', 100000) as text`;

test('an answer that arrives slowly, but steadily, is read to its end', { skip: noServer }, () =>
  proxied(
    async (pool, proxy) => {
      await pool`select 1`;
      proxy.slowDown({ bytes: 10_000, everyMs: 400 });
      assert.equal((await large(pool))[0]?.text.length, 100_000);
    },
    { ...options, statementTimeoutMs: 2_000 },
  ),
);

test('an answer that would never be complete ends its statement', { skip: noServer }, () =>
  proxied(async (pool, proxy) => {
    await pool`select 1`;
    proxy.slowDown({ bytes: 1, everyMs: 50 });
    await assert.rejects(() => large(pool), isDatabaseUnavailable);
  }),
);

test('a statement that waits for a lock does not count as a vanished server', { skip: noServer }, () =>
  proxied(async (pool) => {
    await assert.rejects(pool`select pg_sleep(30)`, { code: '57014' });
    await assertWorks(pool);
  }),
);

test('neither an idle connection nor a slow statement after it counts as silence', { skip: noServer }, () =>
  proxied(async (pool) => {
    const pid = async (seconds: number) =>
      (await pool`select pg_backend_pid() as pid, pg_sleep(${seconds})`)[0]?.pid;
    const first = await pid(0);
    for (const restMs of [statementTimeoutMs, statementTimeoutMs + 500]) {
      await new Promise((done) => setTimeout(done, restMs));
      assert.equal(await pid(0.5), first);
    }
  }),
);

test(
  'a killed server is unavailable at once, also to open transactions, and works again when it is back',
  {
    skip: noServer,
  },
  () =>
    proxied(async (pool) => {
      assert.ok(server);
      const inside = Promise.withResolvers<void>();
      const killed = Promise.withResolvers<void>();
      const transaction = pool.begin(async (sql) => {
        await sql`select 1`;
        inside.resolve();
        await killed.promise;
        await sql`select 2`;
      });
      const told = assert.rejects(transaction, isDatabaseUnavailable);
      await inside.promise;
      await server.kill();
      await assertUnavailable(pool);
      killed.resolve();
      await told;
      await server.start();
      await untilBack(pool);
      await assertWorks(pool);
    }),
);

test(
  'when an administrator ends one connection, the pool soon replaces the others with it',
  { skip: noServer },
  () =>
    proxied(async (pool) => {
      await assertWorks(pool);
      await assert.rejects(pool`select pg_terminate_backend(pg_backend_pid())`, isDatabaseUnavailable);
      await untilBack(pool);
      await assertWorks(pool);
    }),
);

test('an ending pool lets its statements finish, and rejects later ones', { skip: noServer }, () =>
  proxied(async (pool) => {
    // The goodbye alone waits half a second.
    const running = pool`select pg_sleep(0.7), 1 as n`.execute();
    await pool`select 1`;
    await pool.end();
    assert.equal((await running)[0]?.n, 1);
    await assert.rejects(async () => pool`select 1`, isDatabaseUnavailable);
  }),
);

test('an address where no server answers is an error that says so', async () => {
  await assert.rejects(
    createPool(readDatabaseUrl('postgres://postgres@127.0.0.1:1/postgres'), options),
    /ECONNREFUSED/,
  );
  assert.throws(() => readDatabaseUrl('postgres://u@127.0.0.1:1/p?sslmode=maybe'), /sslmode=maybe/);
});

test('a transaction that begins behind any number of statements loses no writes', {
  skip: noServer,
}, async () => {
  assert.ok(server);
  const address = readDatabaseUrl(server.url);
  // On a busy machine the last of the statements waits for seconds.
  const pool = await createPool(address, { max: 2, statementTimeoutMs: 60_000 });
  await Promise.all([pool`select pg_sleep(0.05)`, pool`select pg_sleep(0.05)`]);
  await pool`create table kept (n integer)`;
  let acknowledged = 0;
  // Two pipelines of 100 would fill up near here: a `begin` once lost its connection there.
  for (let waiting = 190; waiting < 215; waiting += 1) {
    const others = Array.from({ length: waiting }, () => pool`select 1`);
    const begun = (async () => {
      for (let turn = 0; turn < 8; turn += 1) await null;
      return pool.begin((transaction) => transaction`select 1`);
    })();
    const [outcome] = await Promise.allSettled([begun, ...others]);
    assert.equal(outcome?.status, 'fulfilled');
    await pool`insert into kept values (${waiting})`;
    acknowledged += 1;
  }
  await pool.end();
  const reader = await createPool(address, options);
  const [row] = await reader`select count(*)::int as stored from kept`;
  await reader`drop table kept`;
  await reader.end();
  assert.equal(row?.stored, acknowledged);
});

test('through a pooler no statement is prepared, and no setting outlives its transaction', {
  skip: noServer,
}, async (t) => {
  assert.ok(server);
  const address = await poolerBefore({ after: (cleanUp) => t.after(cleanUp) }, readDatabaseUrl(server.url));
  const pool = await createPool(address, { max: 1, statementTimeoutMs });
  const timeout = (sql: Sql) =>
    sql<[{ timeout: string }]>`select current_setting('statement_timeout') as timeout`.then(
      ([row]) => row.timeout,
    );
  for (let time = 0; time < 3; time += 1) assert.equal(await timeout(pool), '0');
  assert.equal(await pool.begin(timeout), '1s');
  assert.equal(await timeout(pool), '0');
  const [row] = await pool`select count(*) as prepared from pg_prepared_statements`;
  assert.equal(row?.prepared, 0);
  await pool.end();
});

test('PostgreSQL compiles no statement: that takes seconds, and none runs as long', {
  skip: noServer,
}, async () => {
  assert.ok(server);
  const pool = await createPool(readDatabaseUrl(server.url), { max: 1, statementTimeoutMs });
  const costly = pool`explain (analyze, timing off) select count(*) from generate_series(1, 100) as n, generate_series(1, 100000000) as m
    where n > 100`;
  const plan = (await costly).map((line) => line['QUERY PLAN']).join('\n');
  assert.doesNotMatch(plan, /JIT/);
  await pool.end();
});

test('without a pooler, a repeated statement is prepared once per connection', {
  skip: noServer,
}, async () => {
  assert.ok(server);
  const pool = await createPool(readDatabaseUrl(server.url), { max: 1, statementTimeoutMs });
  for (let time = 0; time < 5; time += 1) await pool`select ${time}::int`;
  const [row] = await pool`select count(*) as prepared from pg_prepared_statements`;
  assert.equal(row?.prepared, 1);
  await pool.end();
});

test('a statement whose columns a migration has changed continues with the new columns', {
  skip: noServer,
}, async () => {
  assert.ok(server);
  const pool = await createPool(readDatabaseUrl(server.url), { max: 2, statementTimeoutMs });
  await pool`create table changing (n int)`;
  const read = () => pool`select * from changing`;
  for (let time = 0; time < 3; time += 1) await read();
  await pool`alter table changing add column more text default 'x'`;
  await pool`insert into changing values (1)`;
  assert.deepEqual(await read(), [{ n: 1, more: 'x' }]);
  await pool`drop table changing`;
  await pool.end();
});

test('a server without room for more connections serves the existing ones', {
  skip: noServer,
}, async (t) => {
  assert.ok(server);
  const pool = await createPool(readDatabaseUrl(server.url), { max: 30, statementTimeoutMs });
  await pool`create role crowded login connection limit 3`;
  const url = new URL(server.url);
  url.username = 'crowded';
  const crowded = await createPool(readDatabaseUrl(url.href), { max: 30, statementTimeoutMs });
  t.after(async () => {
    await crowded.end();
    await pool`drop role crowded`;
    await pool.end();
  });
  await crowded`select 1`;
  const outcomes = await work(crowded);
  assert.deepEqual(
    outcomes.filter(({ status }) => status === 'rejected'),
    [],
  );
});

test('a failed statement fails its transaction, even if its error was caught', {
  skip: noServer,
}, async (t) => {
  const pool = await ownPool(t, 1);
  await pool`create temporary table kept (n integer primary key)`;
  const caught = pool.begin(async (transaction) => {
    await transaction`insert into kept values (1)`;
    await transaction`select 1 / 0`.catch(() => {});
  });
  await assert.rejects(caught, { code: '22012' });
  assert.deepEqual(await pool`select n from kept`, []);
});

test('a transaction ends after all its statements, and accepts none later', { skip: noServer }, async (t) => {
  const pool = await ownPool(t, 1);
  await pool`create temporary table kept (n integer primary key)`;
  const transaction = await pool.begin(async (sql) => {
    sql`insert into kept select 1 from pg_sleep(0.05)`.execute();
    sql`insert into kept values (2)`.execute();
    return [sql] as const;
  });
  assert.deepEqual(await pool`select n from kept order by n`, [{ n: 1 }, { n: 2 }]);
  await assert.rejects(async () => transaction[0]`insert into kept values (3)`, /is over/);
  assert.deepEqual(await pool`select count(*) as n from kept`, [{ n: 2 }]);
});

test('a statement that waits too long for a connection fails, and frees its place', {
  skip: noServer,
}, async (t) => {
  const pool = await ownPool(t, 1);
  const rest = () => pool`select pg_sleep(0.8)`.execute();
  const [, , third] = await Promise.allSettled([rest(), rest(), rest()]);
  assert.ok(third?.status === 'rejected' && isDatabaseUnavailable(third.reason), JSON.stringify(third));
  await pool`select 1`;
});

test('a statement whose end is unknown is not sent again', { skip: noServer }, async (t) => {
  const pool = await ownPool(t, 2);
  await pool`create sequence tries`;
  await assert.rejects(
    pool`select nextval('tries'), pg_terminate_backend(pg_backend_pid())`,
    isDatabaseUnavailable,
  );
  await untilBack(pool);
  assert.deepEqual(await pool`select last_value::int as tries from tries`, [{ tries: 1 }]);
  await pool`drop sequence tries`;
});

test('a statement that one server leaves unanswered sends the next one to another server', {
  skip: noServer,
}, async (t) => {
  assert.ok(server);
  const { hostname: host, port } = new URL(server.url);
  const [silent, other] = [
    await startProxy({ host, port: Number(port) }),
    await startProxy({ host, port: Number(port) }),
  ];
  other.freeze();
  const hosts = [silent, other].map((proxy) => `127.0.0.1:${proxy.port}`).join();
  const pool = await createPool(readDatabaseUrl(`postgres://postgres@${hosts}/postgres`), options);
  t.after(async () => {
    await pool.end();
    await Promise.all([silent.close(), other.close()]);
  });
  await assertWorks(pool);
  other.thaw();
  silent.freeze();
  await assert.rejects(async () => pool`select 1`, isDatabaseUnavailable);
  await pool`select 1`;
});
