import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constantTimeEqual, randomToken, sha256 } from './secret.ts';

test('a token is 32 random bytes in base64url by default', () => {
  assert.match(randomToken(), /^[\w-]{43}$/);
  assert.equal(Buffer.from(randomToken(), 'base64url').length, 32);
  assert.equal(Buffer.from(randomToken(48), 'base64url').length, 48);
  assert.notEqual(randomToken(), randomToken());
});

test('a token is hashed as SHA-256 of its UTF-8 text', () => {
  assert.equal(
    sha256('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  assert.equal(
    sha256('é').toString('hex'),
    '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
  );
});

test('secrets are equal only if every character is, whatever their lengths', () => {
  assert.equal(constantTimeEqual('secret', 'secret'), true);
  assert.equal(constantTimeEqual('secret', 'Secret'), false);
  assert.equal(constantTimeEqual('secret', 'secret '), false);
  assert.equal(constantTimeEqual('', 'secret'), false);
  assert.equal(constantTimeEqual('', ''), true);
});
