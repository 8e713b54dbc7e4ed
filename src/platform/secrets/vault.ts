import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts secrets at rest, for example a channel's settings. A sealed value is version (1 byte) | nonce (12) | tag
 * (16) | ciphertext of AES-256-GCM. `purpose` names the place, for example `channel.settings`. It selects the key and
 * is authenticated. A value that is moved to another place does not open there.
 */
export type Vault = {
  seal(plain: string, purpose: string): Buffer;
  /** Throws `CannotOpen`. */
  open(sealed: Buffer, purpose: string): string;
};

export class CannotOpen extends Error {}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const MIN_KEY_LENGTH = 32;
const CIPHER = 'aes-256-gcm';

/**
 * The key is at least 32 random bytes, or a text of at least 32 characters. The text may be hex, base64 or a long
 * passphrase, and is used literally: HKDF keeps the randomness of any form. The key is not stretched, so a passphrase
 * must be random too.
 */
export function createVault(key: Buffer | string): Vault {
  if (key.length < MIN_KEY_LENGTH) {
    throw new Error(`The secret key must have at least ${MIN_KEY_LENGTH} bytes or characters.`);
  }
  const keyFor = keysByPurpose(key);
  return {
    seal: (plain, purpose) => seal(keyFor(purpose), plain, purpose),
    open: (sealed, purpose) => open(keyFor(purpose), sealed, purpose),
  };
}

/**
 * Each sealed row has a purpose: a few thousand at most. Deriving a key costs more than using it, so keys are cached.
 */
function keysByPurpose(key: Buffer | string): (purpose: string) => Buffer {
  const derived = new Map<string, Buffer>();
  return (purpose) => {
    const known = derived.get(purpose);
    if (known) return known;
    const fresh = Buffer.from(hkdfSync('sha256', key, 'patchbay vault', purpose, 32));
    derived.set(purpose, fresh);
    return fresh;
  };
}

function seal(key: Buffer, plain: string, purpose: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

function open(key: Buffer, sealed: Buffer, purpose: string): string {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) {
    throw new CannotOpen(`This is not a value sealed for ${purpose}.`);
  }
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
  const plain = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    throw new CannotOpen(`The value sealed for ${purpose} was made with another secret key, or was altered.`);
  }
}
