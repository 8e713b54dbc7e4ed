import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const src = join(import.meta.dirname, '..', 'src');

/** The Widget is ours, and has no server of others. */
const ours = ['people/console/widget/rotate-identity-secret.ts'];

const actions = globSync('**/*.ts', { cwd: src })
  .filter((file) => !file.endsWith('.test.ts') && !ours.includes(file))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))
  .filter(({ text }) => /\b(action|creation|actionFor<\w+>\(\))\(\{/.test(text));

const lines = [
  {
    promise: 'every action that asks a server of others waits in the line of such requests',
    line: 'foreign',
    working: [
      /\b(probe|addChannel|changeChannel|checkChannel|checkEntered|accountOf|submitTemplate)\((context|\{)/,
    ],
    actions: 7,
  },
  {
    promise:
      'every action that reads all clients, or thousands of messages or events, waits in the line of searches',
    line: 'searches',
    working: [
      /\b(findAudience\(context, projectId|requireFinish\(|requireTest\(|addDifference\()/,
      /\b(findTimeline\(sql, projectId, id, started_at|countDay\(|countPart\(|await searchEvents\()/,
      /\b(countFailures|findAgain)\(/,
    ],
    actions: 12,
  },
  {
    promise: 'every action that stores, makes or replays a file’s worth of rows waits in the line of files',
    line: 'files',
    working: [/\b(insertManyCodes|generateCodes|csvRows|replayPart|deliverWaiting)\(/],
    actions: 6,
  },
];

/** The longest list of a body is a hundred pieces. Those of a project's people wait in the line of searches. */
test('every action that stores the list of a mailing waits for others that do', () => {
  const ofLine = actions.filter(({ text }) => /\b(makeMailing|completeDraft)\(/.test(text));
  assert.equal(ofLine.length, 4);
  const waits = /line: ('searches'|\(body\) => \(hasLongList\(body\) \? 'files' : 'writes'\))/;
  assert.deepEqual(
    ofLine.filter(({ text }) => !waits.test(text)).map(({ file }) => file),
    [],
  );
});

for (const { promise, line, working, actions: count } of lines) {
  test(promise, () => {
    const ofLine = actions.filter(({ text }) => working.some((calls) => calls.test(text)));
    assert.equal(ofLine.length, count);
    assert.deepEqual(
      ofLine.filter(({ text }) => !text.includes(`line: '${line}'`)).map(({ file }) => file),
      [],
    );
  });
}
