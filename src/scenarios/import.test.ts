import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedProject } from '../../test/seed.ts';
import { importScenario } from './import.ts';
import { findScenarioByName, findVersion } from './store.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
let projectId: string;

beforeEach(async () => {
  projectId = await seedProject(context.sql);
});

const importFile = (content: string) => importScenario(context, { projectId, file: Buffer.from(content) });

const scenario = (text: string) => ({ name: 'Welcome', steps: [{ id: 'hi', type: 'message', text }] });

const definitionAt = async (version: number | null) =>
  (await findVersion(context.sql, projectId, { name: 'Welcome' }, version))?.definition;

test('a scenario is stored as its file has it, and found by its name in its own project', async () => {
  const document = scenario('Hi {{name}}');
  const { id, name } = await importFile(`\ufeff${JSON.stringify(document)}`);
  assert.deepEqual(await definitionAt(null), document);
  assert.deepEqual(await findScenarioByName(context.sql, projectId, 'Welcome'), { id, name });
  assert.equal(await findScenarioByName(context.sql, projectId, 'welcome'), null);
  assert.equal(await findScenarioByName(context.sql, await seedProject(context.sql), 'Welcome'), null);
});

test('a changed definition is a new version of the same scenario, and the old one stays; an unchanged one adds none', async () => {
  const first = await importFile(JSON.stringify(scenario('one')));
  const again = await importFile(JSON.stringify(scenario('one')));
  const second = await importFile(JSON.stringify(scenario('two')));
  assert.deepEqual([first.version, again.version, second.version], [1, 1, 2]);
  assert.deepEqual([again.id, second.id], [first.id, first.id]);
  assert.deepEqual(await definitionAt(1), scenario('one'));
  assert.deepEqual(await definitionAt(null), scenario('two'));
  assert.equal(await definitionAt(3), undefined);
});

test('concurrently imported versions are all stored, each under its own number', async () => {
  const imported = await Promise.all(
    ['a', 'b', 'c', 'd'].map((text) => importFile(JSON.stringify(scenario(text)))),
  );
  assert.deepEqual(new Set(imported.map(({ version }) => version)), new Set([1, 2, 3, 4]));
});

test('a scenario with an address inside is refused, and nothing is stored', async () => {
  const steps = [{ id: 'call', type: 'request', url: 'http://10.0.0.1/' }];
  await assert.rejects(importFile(JSON.stringify({ name: 'Welcome', steps })), {
    fields: { steps: { call: { url: ['The host 10.0.0.1 is not on the public internet.'] } } },
  });
  assert.equal(await findScenarioByName(context.sql, projectId, 'Welcome'), null);
});

test('a button that would run a script is refused, however it is written, and one that opens an app is not', async () => {
  const withButton = (url: string) => {
    const steps = [{ id: 'ask', type: 'message', text: 'Look', buttons: [{ text: 'Here', url }] }];
    return JSON.stringify({ name: 'Buttons', steps });
  };
  for (const url of [
    'javascript:alert(1)',
    ' \tJava\nScript:alert(1)',
    '{{name}}javascript:alert(1)',
    'java{{name}}script:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
  ]) {
    await assert.rejects(importFile(withButton(url)), {
      fields: { steps: { ask: { 'buttons.0.url': ['Enter a valid URL.'] } } },
    });
  }
  for (const url of ['https://shop.example/', 'tel:+491711234567', 'tg://resolve?domain=x', '{{link}}']) {
    await importFile(withButton(url));
  }
});

test('an invalid scenario is refused with a reason', async () => {
  await assert.rejects(importFile('{"steps": []}'), {
    fields: { name: ['This field is required.'], steps: ['This list may not be empty.'] },
  });
  await assert.rejects(importFile('[]'), {
    fields: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] },
  });
  await assert.rejects(importFile('{'), /^HttpProblem|JSON parse error/);
  await assert.rejects(importFile('{"name": "a\\u0000b"}'), {
    fields: { name: ['Null characters are not allowed.'] },
  });
});

test('objects that a scenario names and the project lacks are reported, and do not prevent the import', async () => {
  const steps = [
    { id: 'ask', type: 'ask', text: 'Where?', keep: { attribute: 'city' } },
    {
      id: 'set',
      type: 'set',
      attributes: { size: 'L' },
      add_tags: ['vip', '{{tag}}'],
      remove_tags: ['gone'],
    },
    { id: 'code', type: 'promocode', group: 'Spring', variable: 'x' },
    { id: 'say', type: 'message', text: '{{promocode:Autumn}} {{promocode:Spring}}' },
    { id: 'go', type: 'goto', scenario: 'Other' },
  ];
  const file = JSON.stringify({ name: 'Names', steps });
  assert.deepEqual((await importFile(file)).missing, {
    promocode_groups: ['Autumn', 'Spring'],
    scenarios: ['Other'],
    attributes: ['city', 'size'],
    tags: ['vip'],
    audiences: [],
  });

  await importFile(JSON.stringify({ ...scenario('Hi'), name: 'Other' }));
  await context.sql`
    insert into promocode_groups (project_id, id, name, created_at)
    select ${projectId}, gen_random_uuid(), name, ${new Date()} from unnest(${['Autumn', 'Spring']}::text[]) as name`;
  await context.sql`
    insert into attributes (project_id, name) select ${projectId}, unnest(${['city', 'size']}::text[])`;
  await context.sql`insert into tags (project_id, name) values (${projectId}, 'vip')`;
  assert.deepEqual((await importFile(file)).missing, {
    promocode_groups: [],
    scenarios: [],
    attributes: [],
    tags: [],
    audiences: [],
  });
});
