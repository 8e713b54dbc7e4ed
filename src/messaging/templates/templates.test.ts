import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { findTemplate } from './store.ts';
import { addTemplate } from './templates.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());

test('a template is found by its pid in its own project, in its latest version', async () => {
  const projectId = await seedProject(context.sql);
  const template = {
    projectId,
    pid: 'order',
    body: 'Order {{number}}',
    language: 'en',
    approval: 'approved',
  } as const;
  await addTemplate(context, { ...template, body: 'Old {{thing}}', approval: 'pending' });
  await addTemplate(context, template);
  assert.deepEqual(await findTemplate(context.sql, projectId, 'order'), {
    pid: 'order',
    body: 'Order {{number}}',
    variables: ['number'],
    language: 'en',
    approval: 'approved',
    name: 'order',
  });
  assert.equal(await findTemplate(context.sql, projectId, 'ORDER'), null);
  assert.equal(await findTemplate(context.sql, await seedProject(context.sql), 'order'), null);
  await assert.rejects(addTemplate(context, { ...template, pid: '' }), {
    fields: { pid: ['This field may not be blank.'] },
  });
});
