import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isTest } from './test-files.ts';

/**
 * Two rows may have one time. Which of them comes first is then decided by the plan that the database chose, and the
 * console once counted another chat of a client than its mailing was sent to. Rows that are chosen by a time are
 * therefore chosen by their id as well. The order of work that waits decides nothing: all of it is done.
 */

const source = join(import.meta.dirname, '..', 'src');

const chosen = /\border by ((?:(?!\border by\b|`)[\s\S])*?)\s+limit\b/g;
const endsInTime = /_at(?: asc| desc)?(?: nulls (?:first|last))?$/;
const isWork = /\b(?:due_at|again_at|asked_at)\b/;

/** Orders by a time alone, of rows that are taken one after another until none is left. */
const queues: { [file: string]: string } = {
  'messaging/attachments/store.ts': 'order by created_at',
};

function tiesIn(text: string): string[] {
  return [...text.matchAll(chosen)]
    .map(([, order = '']) => order)
    .filter((order) => endsInTime.test(order) && !isWork.test(order))
    .map((order) => `order by ${order}`);
}

test('rows that are chosen by a time are chosen by their id where two have one time', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !isTest(file));
  const found = files.flatMap((file) =>
    tiesIn(readFileSync(join(source, file), 'utf8')).map((order): [string, string] => [file, order]),
  );
  assert.deepEqual(found, Object.entries(queues));
});

test('an order by a time alone is found', () => {
  assert.deepEqual(tiesIn('select id from chats order by last_active_at desc limit 1'), [
    'order by last_active_at desc',
  ]);
  assert.deepEqual(tiesIn('select id from chats order by last_active_at desc, id limit 1'), []);
  assert.deepEqual(tiesIn('select id from queues order by due_at limit 1'), []);
});
