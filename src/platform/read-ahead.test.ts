import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAhead } from './read-ahead.ts';

const isSmall = (part: number): part is number => part < 10;
const isAny = (_part: number): _part is number => true;

async function all<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const found: Part[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

test('the next part is read while the reader works on one, and no further one', async () => {
  const read: number[] = [];
  async function* source() {
    for (const part of [1, 2, 3]) {
      read.push(part);
      yield part;
    }
  }
  const seen: string[] = [];
  for await (const part of readAhead(source()).takeWhile(isAny)) {
    await new Promise(setImmediate);
    seen.push(`${part} of ${read}`);
  }
  assert.deepEqual(seen, ['1 of 1,2', '2 of 1,2,3', '3 of 1,2,3']);
});

test('the first part of another kind is left for the next reader', async () => {
  const parts = readAhead(
    (async function* () {
      yield* [1, 2, 30, 4];
    })(),
  );
  assert.deepEqual(await all(parts.takeWhile(isSmall)), [1, 2]);
  assert.deepEqual(await all(parts.takeWhile(isSmall)), []);
  assert.deepEqual(await all(parts.takeWhile(isAny)), [30, 4]);
  assert.deepEqual(await all(parts.takeWhile(isAny)), []);
});

test('a source that fails tells the reader of the part that is missing', async () => {
  const parts = readAhead(
    (async function* () {
      yield 1;
      throw new Error('cut off');
    })(),
  );
  const seen: number[] = [];
  await assert.rejects(async () => {
    for await (const part of parts.takeWhile(isAny)) {
      await new Promise(setImmediate);
      seen.push(part);
    }
  }, /cut off/);
  assert.deepEqual(seen, [1]);
});
