import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const src = join(import.meta.dirname, '..', 'src');

/** These ask a server that a user has named. */
const asking =
  /\b(probe|addChannel|changeChannel|checkChannel|checkEntered|accountOf|submitTemplate)\((context|\{)/;

/** The Widget is ours, and has no server of others. */
const ours = ['people/console/widget/rotate-identity-secret.ts'];

test('every action that asks a server of others waits in the line of such requests', () => {
  const actions = globSync('**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts') && !ours.includes(file))
    .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))
    .filter(({ text }) => /\b(action|actionFor<\w+>\(\))\(\{/.test(text) && asking.test(text));
  assert.equal(actions.length, 7);
  assert.deepEqual(
    actions.filter(({ text }) => !text.includes("line: 'foreign'")).map(({ file }) => file),
    [],
  );
});
