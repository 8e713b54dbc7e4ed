import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableAnswer } from './answer.ts';

test('arbitrary bytes become text that the database can hold', () => {
  assert.equal(readableAnswer(Buffer.from('{"ok": "да"}')), '{"ok": "да"}');
  assert.equal(readableAnswer(Buffer.from('a\0b')), 'a\uFFFDb');
  assert.equal(readableAnswer(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80])).isWellFormed(), true);
  assert.equal(readableAnswer(Buffer.from('й').subarray(0, 1)), '\uFFFD');
});
