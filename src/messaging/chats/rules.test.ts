import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MessageState, movesOn } from './rules.ts';

const moves: [from: MessageState, delivered: string[], read: string[], undelivered: string[]][] = [
  ['PENDING', [], [], []],
  ['IN_PROCESS', ['SENT', 'DELIVERED'], ['SENT', 'READ'], ['UNDELIVERED']],
  ['SENT', ['DELIVERED'], ['READ'], ['UNDELIVERED']],
  ['DELIVERED', [], ['READ'], ['UNDELIVERED']],
  ['READ', [], [], []],
  ['UNDELIVERED', [], [], []],
  ['CANCELLED', [], [], []],
  ['ERROR', [], [], []],
];

for (const [from, delivered, read, undelivered] of moves) {
  test(`receipts move a message forwards only, from ${from}`, () => {
    assert.deepEqual(
      [movesOn('delivered', from), movesOn('read', from), movesOn('undelivered', from)],
      [delivered, read, undelivered],
    );
  });
}
