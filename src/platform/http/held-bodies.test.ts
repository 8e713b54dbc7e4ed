import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldIn } from './held-bodies.ts';

const mebibyte = 2 ** 20;

test('the bodies and answers that a process holds leave most of its heap free', () => {
  assert.deepEqual(heldIn(4_096 * mebibyte), { address: 64 * mebibyte, process: 256 * mebibyte });
  assert.deepEqual(heldIn(1_024 * mebibyte), { address: 64 * mebibyte, process: 128 * mebibyte });
  assert.deepEqual(heldIn(256 * mebibyte), { address: 32 * mebibyte, process: 32 * mebibyte });
});
