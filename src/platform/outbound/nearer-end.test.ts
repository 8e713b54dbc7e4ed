import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearerEnd } from './nearer-end.ts';

test('either end yields the same rows, and at most half of the list is walked', () => {
  for (let count = 0; count <= 9; count += 1) {
    const newestFirst = Array.from({ length: count }, (_, n) => n);
    for (let offset = 0; offset <= count + 3; offset += 1) {
      for (let limit = 1; limit <= 4; limit += 1) {
        const slice = nearerEnd(count, { limit, offset });
        const list = slice.fromOldest ? newestFirst.toReversed() : newestFirst;
        const rows = list.slice(slice.offset, slice.offset + slice.limit).sort();
        const told = JSON.stringify({ count, offset, limit, slice });
        assert.deepEqual(rows, newestFirst.slice(offset, offset + limit), told);
        assert.ok(slice.offset <= count / 2, told);
      }
    }
  }
});
