import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { isDatabaseUnavailable, openDatabase } from './database.ts';

const { sql, kind, environment } = await testDatabase({ after });

test('SQL values arrive as the matching JavaScript values', async () => {
  const at = new Date('2026-11-20T04:00:00.123Z');
  const [row] = await sql`
    select count(*) as count, ${at}::timestamptz as at, ${sql.json({ a: [1, null] })}::jsonb as json, ${['a', 'b,"']}::text[] as texts,
      array[${at}::timestamptz] as times, ${null}::text as nothing, ${true}::boolean as yes
    from generate_series(1, 3)`;
  assert.deepEqual(
    { ...row },
    { count: 3, at, json: { a: [1, null] }, texts: ['a', 'b,"'], times: [at], nothing: null, yes: true },
  );
});

test('a moment of any year that the API accepts is read as it was written', async () => {
  for (const year of ['0001', '0044', '0099', '0100', '1970', '9999']) {
    const moment = `${year}-03-15T12:00:00.250Z`;
    const [row] = await sql<[{ moment: Date }]>`select ${moment}::timestamptz as moment`;
    assert.equal(row.moment.toISOString(), moment);
  }
});

test('arrays work as parameters', async () => {
  const ids = ['0190b5a0-0000-7000-8000-000000000001', '0190b5a0-0000-7000-8000-000000000002'];
  const [row] = await sql`
    select ${ids[0] ?? ''}::uuid = any (${ids}::uuid[]) as found, 3 = any (${[1, 2]}::int[]) as missing,
      ${[new Date(0)]}::timestamptz[] as times`;
  assert.deepEqual({ ...row }, { found: true, missing: false, times: [new Date(0)] });
});

test('a bigint beyond a safe number is an error, never a wrong number', async () => {
  await assert.rejects(sql`select 9007199254740993::bigint as n`, RangeError);
  assert.equal((await sql`select 9007199254740991::bigint as n`)[0]?.n, Number.MAX_SAFE_INTEGER);
});

test('a failed transaction leaves nothing', async () => {
  await sql`create table leftovers (n int)`;
  const failed = new Error('changed my mind');
  await assert.rejects(
    sql.begin(async (transaction) => {
      await transaction`insert into leftovers values (1)`;
      throw failed;
    }),
    failed,
  );
  assert.equal((await sql`select count(*) as n from leftovers`)[0]?.n, 0);
});

test('a statement’s error does not count as an unavailable database', async () => {
  const error = await sql`select 1 / 0`.catch((caught: unknown) => caught);
  assert.ok(error instanceof Error);
  assert.equal(isDatabaseUnavailable(error), false);
});

test('a server ends a statement that exceeds a request’s limit, and long statements have a separate pool', {
  skip: kind === 'embedded',
}, async () => {
  const databaseUrl = 'DATABASE_URL' in environment ? environment.DATABASE_URL : null;
  const log = pino({ level: 'silent' });
  const program = await openDatabase({ databaseUrl, dataDir: '', log, patient: true });
  const seconds = 2.5;
  const [short, long] = await Promise.allSettled([
    program.sql`select pg_sleep(${seconds})`,
    program.longSql`select pg_sleep(${seconds})`,
  ]);
  await program.close();
  assert.equal(short.status === 'rejected' && isDatabaseUnavailable(short.reason), true);
  assert.equal(long.status, 'fulfilled');
});
