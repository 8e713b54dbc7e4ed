import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedProject } from '../../test/seed.ts';
import { settleAddresses } from '../access/operators/settle-addresses.ts';
import { migrationsDirectory } from '../platform/database/migrate.ts';
import { checkAddresses } from './database-checks.ts';

const database = await testDatabase({ after });
const { sql, newId } = testContext(database, manualClock());

/** The former schema: an index that folds case as the server does. */
async function storeAsBefore(emails: string[]): Promise<string> {
  const projectId = await seedProject(sql);
  await sql`drop index users_email`;
  await sql`drop index operators_email`;
  await sql`create unique index users_email on users (lower(email))`;
  await sql`create unique index operators_email on operators (project_id, lower(email))`;
  for (const email of emails) {
    const id = newId();
    await sql`insert into users (id, email, created_at) values (${id}, ${email}, now())`;
    await sql`
      insert into operators (project_id, id, user_id, role, email, name, created_at)
      values (${projectId}, ${id}, ${id}, 'operator', ${email}, 'Ann', now())`;
  }
  return projectId;
}

test('stored addresses get their canonical form; of two that become equal, one stays unchanged and is reported', async () => {
  const stored = [
    'Ann@Shop.test',
    'bob@MÜNCHEN.test',
    'bob@xn--mnchen-3ya.test',
    'eve@ｓｈｏｐ.test',
    '"o"@x.test',
  ];
  const projectId = await storeAsBefore(stored);
  const migration = await readFile(join(migrationsDirectory, '0030_one_form_of_an_address.sql'), 'utf8');
  await sql.unsafe(migration);
  await settleAddresses(sql);
  const expected = [
    'ann@shop.test',
    'bob@mÜnchen.test',
    'bob@xn--mnchen-3ya.test',
    'eve@shop.test',
    '"o"@x.test',
  ];
  for (const rows of [
    await sql`select email from users order by id`,
    await sql`select email from operators where project_id = ${projectId} order by id`,
  ])
    assert.deepEqual(
      rows.map(({ email }) => email),
      expected,
    );
  const { state, detail } = await checkAddresses(sql);
  assert.equal(state, 'warning');
  assert.match(detail, /bob@mÜnchen\.test/);
  assert.match(detail, /"o"@x\.test/);
  assert.doesNotMatch(detail, /ann|eve/);

  await sql`delete from operators where email = 'bob@xn--mnchen-3ya.test'`;
  await sql`delete from operators where email = '"o"@x.test'`;
  await sql`delete from users where email in ('bob@xn--mnchen-3ya.test', '"o"@x.test')`;
  await settleAddresses(sql);
  assert.equal((await checkAddresses(sql)).state, 'ok');
});
