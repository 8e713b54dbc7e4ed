import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { CannotOpen, createVault } from './vault.ts';

const key = 'a passphrase of thirty-two characters, or more';
const vault = createVault(key);

test('a sealed text opens again, also in another process with the same key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, purpose) => {
      assert.equal(createVault(key).open(vault.seal(plain, purpose), purpose), plain);
    }),
  );
});

test('the same text is sealed differently each time and does not show', () => {
  const sealed = vault.seal('bot-token-123', 'channel.settings');
  assert.notDeepEqual(sealed, vault.seal('bot-token-123', 'channel.settings'));
  assert.equal(sealed.includes('bot-token'), false);
});

test('a value opened with another key fails with its own error', () => {
  const sealed = vault.seal('text', 'channel.settings');
  const stranger = createVault(randomBytes(32));
  assert.throws(
    () => stranger.open(sealed, 'channel.settings'),
    (error) => {
      assert(error instanceof CannotOpen);
      assert.match(error.message, /channel\.settings.*another secret key/);
      return true;
    },
  );
});

test('a text sealed for one purpose does not open for another', () => {
  assert.throws(() => vault.open(vault.seal('text', 'channel.settings'), 'webhook.secret'), CannotOpen);
});

test('a value with any changed bit does not open', () => {
  const sealed = vault.seal('text', 'channel.settings');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.throws(() => vault.open(altered, 'channel.settings'), CannotOpen, `bit ${bit}`);
  }
});

test('a value cut short at any byte does not open', () => {
  const sealed = vault.seal('text', 'channel.settings');
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(
      () => vault.open(sealed.subarray(0, length), 'channel.settings'),
      CannotOpen,
      `${length} bytes`,
    );
  }
});

test('a key that is too short is refused', () => {
  assert.throws(() => createVault('x'.repeat(31)), /32/);
  assert.throws(() => createVault(Buffer.alloc(31)), /32/);
  assert.ok(createVault(randomBytes(32).toString('hex')));
  assert.ok(createVault(randomBytes(32).toString('base64')));
});

test('the stored form stays readable: version, nonce, tag, ciphertext', () => {
  const stored = 'AcOI9DSVzcD7R147FsG4sJU/betzJrZeitW7C/AJJ+xn';
  assert.equal(
    createVault('0123456789abcdef0123456789abcdef').open(Buffer.from(stored, 'base64'), 'golden'),
    'kept',
  );
});
