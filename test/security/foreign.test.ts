import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Foreign, foreign, isIn } from './foreign.ts';

/** Digits and letters, whichever they are. */
const form = (word: string): string => word.replace(/\d/g, '0').replace(/[a-z]/g, 'a');

test('every name has a twin of its own form, which names nothing and is no other twin', () => {
  const phones = Array.from({ length: 40 }, (_, n) => `+120255501${String(n).padStart(2, '0')}`);
  const rows = [{ table: 'profiles', text: '', json: { names: [...phones, 'maple', 'birch7'] } }];
  const { named } = foreign(rows, new Set(['+12025550199']));
  const all = named.flatMap(({ text, twin }) => [text, twin]);
  assert.equal(new Set([...all, '+12025550199']).size, 2 * 42 + 1);
  for (const { text, twin } of named) assert.equal(form(twin), form(text));
});

test('a number is in an answer as a number of its own, not within a uuid', () => {
  const name: Foreign = { text: '800213', twin: '', form: 'number', column: '' };
  for (const answer of ['{"id":800213}', '{"id":"800213"}', '[1,800213]', '/chats/800213/'])
    assert.ok(isIn(answer, name), answer);
  for (const answer of ['"01aca800-2138-7800-8002-13800213ab01"', '{"id":1800213}'])
    assert.ok(!isIn(answer, name), answer);
});
