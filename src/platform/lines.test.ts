import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from './lines.ts';
import { Refused } from './problem.ts';

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of source) found.push(item);
  return found;
}

test('a line that never ends is refused before it fills the memory', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 10;
      yield Buffer.from('0123456789');
    }
  }
  await assert.rejects(all(linesOf(endless(), 100)), Refused);
  assert.ok(read <= 120, `${read}`);
});

test('lines that each fit are read, however many they are', async () => {
  async function* many() {
    for (let count = 0; count < 50; count += 1) yield Buffer.from('01234\n56789');
  }
  const lines = await all(linesOf(many(), 10));
  assert.equal(lines.length, 50);
});
