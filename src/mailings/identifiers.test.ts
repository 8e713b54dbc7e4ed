import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockOf, normalIdentifier, separator } from './identifiers.ts';

test('an identifier is stored in normal form, and is null if it can name no one', () => {
  const uuid = '018F0000-0000-7000-8000-00000000000A';
  assert.equal(normalIdentifier('UUID', uuid), uuid.toLowerCase());
  assert.equal(normalIdentifier('CHAT_UUID', uuid), uuid.toLowerCase());
  assert.equal(normalIdentifier('UUID', ` ${uuid}\n`), uuid.toLowerCase());
  assert.equal(normalIdentifier('UUID', 'x'), null);
  assert.equal(normalIdentifier('PHONE_NUMBER', '+1 201 555 0123'), '+12015550123');
  assert.equal(normalIdentifier('EXTERNAL_ID', 'A b'), 'A b');
  assert.equal(normalIdentifier('EXTERNAL_ID', ''), null);
  assert.equal(normalIdentifier('EXTERNAL_ID', `a${separator}b`), null);
});

test('a block stores its line numbers only if one is missing', () => {
  const lines = (...numbers: number[]) =>
    numbers.map((line) => ({ line, identifier: `c${line}`, variables: null }));
  assert.deepEqual(blockOf(lines(8, 9, 10)), {
    last_line: 10,
    lines: null,
    identifiers: ['c8', 'c9', 'c10'],
    variables: null,
  });
  assert.deepEqual(blockOf(lines(8, 10)).lines, [8, 10]);
});
