import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseScenario } from '../../../scenarios/parse.ts';
import { play } from '../../../scenarios/play.ts';
import { ScenarioSchema } from '../../../scenarios/schema.ts';
import { parseScript } from '../../../scenarios/script.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const files = globSync('web/app/console/scenarios/examples/*.json', { cwd: root });

test('every example in the console is valid by the published schema, and passes its own test', () => {
  const isByTheSchema = new Ajv2020({ strict: false }).compile(JSON.parse(JSON.stringify(ScenarioSchema)));
  assert.equal(files.length, 28);
  for (const file of files) {
    const { scenario, script } = JSON.parse(readFileSync(join(root, file), 'utf8'));
    assert.ok(isByTheSchema(scenario), file);
    assert.deepEqual(play([parseScenario(scenario)], parseScript(script)).failures, [], file);
  }
});
