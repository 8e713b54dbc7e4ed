import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { isDatabaseUnavailable, openDatabase } from '../../src/platform/database/database.ts';
import { createPool, type Pool } from '../../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../../src/platform/database/server-address.ts';
import { embeddedFolder } from '../embedded-folder.ts';
import { insertAndKill } from '../kill.ts';
import { postgresBinaries, startPostgres } from '../postgres.ts';
import { startProxy } from '../proxy.ts';

const log = pino({ level: 'silent' });

test('the embedded database keeps every acknowledged row through eight kill -9 at random moments', async () => {
  const dataDir = await embeddedFolder();
  const acknowledged: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const moment = Math.ceil(Math.random() * 8_000);
    acknowledged.push(...(await insertAndKill(dataDir, round * 1_000_000, moment)));
    const database = await openDatabase({ dataDir, log, exclusive: true });
    const rows = await database.sql<{ id: number }[]>`select id from acknowledged`;
    await database.close();
    const kept = new Set(rows.map((row) => row.id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
  }
});

const binaries = postgresBinaries();
const noServer = binaries ? false : 'PostgreSQL binaries not found';

/** Statements and transactions without end, from more callers than connections. */
function load(pool: Pool) {
  let longestMs = 0;
  let answered = 0;
  const strange: unknown[] = [];
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      const begun = performance.now();
      try {
        if (Math.random() < 0.2) await transaction(pool);
        else await pool`select ${1}::int`;
        answered += 1;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) strange.push(error);
        await delay(5);
      }
      longestMs = Math.max(longestMs, performance.now() - begun);
    }
  };
  const callers = Array.from({ length: 200 }, caller);
  return {
    /** The events since the last call. */
    report() {
      const seen = { longestMs, answered, strange: strange.splice(0) };
      longestMs = 0;
      answered = 0;
      return seen;
    },
    async stop() {
      stopped = true;
      await Promise.all(callers);
    },
  };
}

const transaction = (pool: Pool) =>
  pool.begin(async (sql) => {
    await sql`select 1`;
    await delay(Math.random() * 3);
    await sql`select ${'x'}::text`;
  });

test('a server that is cut off, stopped and killed again and again delays no caller more than 2.5 s', {
  skip: noServer,
}, async () => {
  const server = await startPostgres(binaries ?? '');
  after(() => server.remove());
  const url = new URL(server.url);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
  url.port = `${proxy.port}`;
  const pool = await createPool(readDatabaseUrl(url.href), { max: 5, statementTimeoutMs: 2_000 });
  const work = load(pool);

  const troubles = [
    async () => {
      proxy.freeze();
      await delay(5_000);
      proxy.thaw();
    },
    async () => {
      await server.stop();
      await delay(1_000);
      await server.start();
    },
    async () => {
      await server.kill();
      await server.start();
    },
  ];
  for (let round = 0; round < 4; round += 1) {
    for (const trouble of troubles) {
      await trouble();
      const during = work.report();
      await delay(1_500);
      const afterwards = work.report();
      assert.deepEqual([...during.strange, ...afterwards.strange], []);
      assert.ok(afterwards.answered > 0, 'nothing is answered although the server is back');
      const longestMs = Math.max(during.longestMs, afterwards.longestMs);
      assert.ok(longestMs < 2_500, `a caller waited ${longestMs} ms`);
    }
  }
  await work.stop();
  await pool.end();
  await proxy.close();
});
