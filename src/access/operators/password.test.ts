import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaintAboutPassword, hashPassword, verifyPassword } from './password.ts';

test('a stored password verifies itself and no other', async () => {
  const stored = await hashPassword('correct horse battery staple');
  assert.equal(await verifyPassword('correct horse battery staple', stored), true);
  assert.equal(await verifyPassword('correct horse battery stapl', stored), false);
  assert.equal(await verifyPassword('', stored), false);
});

test('a stored password names its algorithm and cost, and does not contain the password', async () => {
  const stored = await hashPassword('planted-secret');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.ok(!stored.includes('planted-secret'));
});

test('the same password is stored differently each time', async () => {
  assert.notEqual(await hashPassword('same'), await hashPassword('same'));
});

test('a password matches however the keyboard composes its letters', async () => {
  assert.equal(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9')), true);
});

test('a password that was stored at another cost still verifies', async () => {
  // Made with memory 8 MiB, one pass and two lanes.
  const stored =
    '$argon2id$v=19$m=8192,t=1,p=2$c2FsdHNhbHRzYWx0c2FsdA$j/aNF5BI8uIXMa7MrPkEioaGD1myHJ6mbp5ZRB1yzSs';
  assert.equal(await verifyPassword('an older password', stored), true);
});

test('text that is no stored password is an error and not a refusal', async () => {
  await assert.rejects(verifyPassword('x', 'plain'), /not a stored password/);
});

test('the most common passwords are refused, in capitals and full-width letters too', () => {
  for (const common of ['1234567890', 'basketball', 'BasketBall', 'qwertyuiop', 'ｂａｓｋｅｔｂａｌｌ'])
    assert.equal(complaintAboutPassword(common), 'This password is too common.', common);
  assert.equal(complaintAboutPassword('basketball in Murmansk'), null);
});

test('a password has 10 to 1024 characters', () => {
  const isFine = (length: number) => complaintAboutPassword('я'.repeat(length)) === null;
  assert.deepEqual([9, 10, 1024, 1025].map(isFine), [false, true, true, false]);
});
