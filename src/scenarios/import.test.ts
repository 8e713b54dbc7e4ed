import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedProject } from '../../test/seed.ts';
import { importScenario } from './import.ts';
import { findScenarioByName } from './store.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
let projectId: string;

beforeEach(async () => {
  projectId = await seedProject(context.sql);
});

const importFile = (content: string) => importScenario(context, { projectId, file: Buffer.from(content) });

const definitionOf = async (id: number) => {
  const [row] = await context.sql<
    { definition: unknown }[]
  >`select definition from scenarios where id = ${id}`;
  return row?.definition;
};

test('a scenario is kept as its file has it, and found by its name in its own project', async () => {
  const document = { name: 'Welcome', nodes: [{ text: 'Hi {{name}}' }] };
  const scenario = await importFile(`\ufeff${JSON.stringify(document)}`);
  assert.deepEqual(await definitionOf(scenario.id), document);
  assert.deepEqual(await findScenarioByName(context.sql, projectId, 'Welcome'), scenario);
  assert.equal(await findScenarioByName(context.sql, projectId, 'welcome'), null);
  assert.equal(await findScenarioByName(context.sql, await seedProject(context.sql), 'Welcome'), null);
});

test('the same name again is the same scenario with a new definition', async () => {
  const first = await importFile('{"name": "Welcome", "nodes": []}');
  const second = await importFile('{"name": "Welcome", "nodes": [1]}');
  assert.deepEqual(second, first);
  assert.deepEqual(await definitionOf(first.id), { name: 'Welcome', nodes: [1] });
});

test('what is no scenario is refused with a reason', async () => {
  await assert.rejects(importFile('{"nodes": []}'), { fields: { name: ['This field is required.'] } });
  await assert.rejects(importFile('[]'), {
    fields: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] },
  });
  await assert.rejects(importFile('{'), /^HttpProblem|JSON parse error/);
  await assert.rejects(importFile('{"name": "a\\u0000b"}'), {
    fields: { name: ['Null characters are not allowed.'] },
  });
});
