import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { playFiles } from './play-files.ts';
import { ScenarioSchema } from './schema.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const read = (name: string): Buffer => readFileSync(join(docs, name));
const published = JSON.parse(read('scenario.schema.json').toString());

test('the published schema is that of the program', () => {
  assert.deepEqual(
    published,
    JSON.parse(JSON.stringify(ScenarioSchema)),
    'write it anew: npm run -s patchbay -- scenario schema > docs/scenario.schema.json && npm run format',
  );
});

test('the example of the documentation is valid by the published schema, and passes its own test', () => {
  const validate = new Ajv2020({ strict: false }).compile(published);
  const example: unknown = JSON.parse(read('examples/sizes.json').toString());
  assert.ok(validate(example), JSON.stringify(validate.errors));
  assert.ok(!validate({ name: 'Wrong', steps: [{ id: 'a', type: 'message', txt: 'no such field' }] }));
  const { failures } = playFiles([read('examples/sizes.json')], read('examples/sizes.script.json'));
  assert.deepEqual(failures, []);
});
