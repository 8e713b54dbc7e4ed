import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldIn } from './held-bodies.ts';

const mebibyte = 2 ** 20;

test('the bodies and answers that a process holds leave most of its heap free, and one caller’s leave room for others', () => {
  assert.deepEqual(heldIn(4_096 * mebibyte), { caller: 64 * mebibyte, process: 256 * mebibyte });
  assert.deepEqual(heldIn(1_024 * mebibyte), { caller: 64 * mebibyte, process: 128 * mebibyte });
  assert.deepEqual(heldIn(256 * mebibyte), { caller: 16 * mebibyte, process: 32 * mebibyte });
});
