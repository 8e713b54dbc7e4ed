import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { embeddedFolder } from '../../../test/embedded-folder.ts';
import { openDatabase } from './database.ts';
import { maintain } from './maintenance.ts';

const { sql, close } = await openDatabase({
  dataDir: await embeddedFolder(),
  log: pino({ level: 'silent' }),
  exclusive: true,
});
after(close);

test('rows that are updated over and over do not make a table grow without end', async () => {
  await sql`create table queue as select n, 0 as turns from generate_series(1, 2000) as n`;
  const update = async () => {
    for (let turn = 0; turn < 10; turn += 1) await sql`update queue set turns = turns + 1`;
    // Statistics are otherwise written once a second.
    await sql`select pg_stat_force_next_flush()`;
    await maintain(sql);
    const [row] = await sql<[{ bytes: number }]>`select pg_relation_size('queue') as bytes`;
    return row.bytes;
  };
  const first = await update();
  await update();
  assert.ok((await update()) <= first);
});

test('WAL that no crash recovery needs is given back', async () => {
  const distance = async () => {
    const [row] = await sql<[{ bytes: number }]>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`;
    return row.bytes;
  };
  await sql`create table big as select repeat('x', 1000) as note from generate_series(1, 40000)`;
  assert.ok((await distance()) > 32_000_000);
  await maintain(sql);
  assert.ok((await distance()) < 1_000_000);
});
