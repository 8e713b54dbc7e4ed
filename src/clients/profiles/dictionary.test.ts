import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { addAttribute, addTag } from './dictionary.ts';

const context = testContext(await testDatabase({ after }), manualClock());
const projectId = await seedProject(context.sql);

for (const [what, add] of [
  ['tag', addTag],
  ['attribute', addAttribute],
] as const) {
  test(`a ${what} has a name of 1 to 100 characters, and may be defined again`, async () => {
    await add(context, { projectId, name: '𝔸'.repeat(100) });
    await add(context, { projectId, name: '𝔸'.repeat(100) });
    await assert.rejects(add(context, { projectId, name: '' }), {
      fields: { name: ['This field may not be blank.'] },
    });
    await assert.rejects(add(context, { projectId, name: 'x'.repeat(101) }), {
      fields: { name: ['Ensure this field has no more than 100 characters.'] },
    });
  });
}

test('an attribute is not called __proto__: its values could never be set', async () => {
  await assert.rejects(addAttribute(context, { projectId, name: '__proto__' }), {
    fields: { name: ['An attribute cannot have this name.'] },
  });
  for (const name of ['constructor', 'toString']) await addAttribute(context, { projectId, name });
});
