import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedProject } from '../../../test/seed.ts';
import { generateCodes } from './generate-many.ts';
import { insertGroup } from './groups-store.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock());

test('generating never makes more codes than requested, however often they are drawn', async () => {
  const form = { prefix: '', characters: 'AB', length: 3 };
  for (let round = 0; round < 20; round += 1) {
    const [projectId, groupId] = [await seedProject(sql), context.newId()];
    await insertGroup(sql, projectId, { id: groupId, name: 'Few', createdAt: noon });
    assert.equal(await generateCodes(context, { projectId, groupId, expiresAt: null }, form, 5), 5);
    assert.equal((await sql`select from promocodes where project_id = ${projectId}`).length, 5);
  }
});
