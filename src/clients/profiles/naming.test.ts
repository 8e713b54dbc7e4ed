import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProfile, seedProject } from '../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { Sql } from '../../platform/database/database.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { entryBy } from './audit.ts';
import { changeProfile } from './change-store.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock());

const giveNumber = (on: Sql, projectId: string, id: string, phone: string) =>
  changeProfile(
    on,
    projectId,
    id,
    { fields: { phone_number: phone } },
    entryBy({ type: 'bot_key', name: 'CRM' }, context),
  );

test("two profiles that want each other's number do not deadlock", twoSessions, async () => {
  const projectId = await seedProject(sql);
  const one = await seedProfile(sql, projectId, { phone_number: '+12015550101' });
  const two = await seedProfile(sql, projectId, { phone_number: '+12015550102' });
  let second: Promise<unknown> | undefined;
  const first = sql.begin(async (transaction) => {
    await giveNumber(transaction, projectId, one, '+12015550103');
    second = giveNumber(sql, projectId, two, '+12015550101').catch((error) => error);
    await somebodyWaits(sql);
    await giveNumber(transaction, projectId, one, '+12015550102');
  });
  await assert.rejects(first, (error) => isUniqueViolation(error));
  assert.ok(isUniqueViolation(await second));
  const numbers = await sql`select phone_number from profiles where project_id = ${projectId} order by id`;
  assert.deepEqual(
    numbers.map(({ phone_number }) => phone_number),
    ['+12015550101', '+12015550102'],
  );
});
