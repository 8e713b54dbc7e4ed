import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { messages } from '../../platform/problem.ts';

/** In characters. Source: NIST SP 800-63B, section 3.1.1: length counts, and no mixture is required. */
export const shortestPassword = 10;
const longestPassword = 1024;

/** The passwords that attackers try first, if they are long enough. Source: NIST SP 800-63B, section 3.1.1.2. */
const commonPasswords = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= shortestPassword),
);

/** The complaint about a new password, or null. */
export function complaintAboutPassword(password: string): string | null {
  const text = password.normalize('NFKC');
  const { length } = [...text];
  if (length > longestPassword) return messages.maxLength(longestPassword);
  if (length < shortestPassword) return `Ensure this field has at least ${shortestPassword} characters.`;
  return commonPasswords.has(text.toLowerCase()) ? 'This password is too common.' : null;
}

type Cost = { memory: number; passes: number; parallelism: number };

/** OWASP's password storage advice for Argon2id: 19 MiB, two passes, one lane. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9+/]+)$/;

/** The stored form of a password: a PHC string. It names its own cost, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost, HASH_BYTES);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Whether this is the stored password. Throws when `stored` was not made by `hashPassword`. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = PHC.exec(stored)?.groups;
  if (!parts?.salt || !parts.hash) throw new Error('This is not a stored password.');
  const expected = Buffer.from(parts.hash, 'base64');
  const storedCost = {
    memory: Number(parts.memory),
    passes: Number(parts.passes),
    parallelism: Number(parts.parallelism),
  };
  return timingSafeEqual(
    await derive(password, Buffer.from(parts.salt, 'base64'), storedCost, expected.length),
    expected,
  );
}

/**
 * Runs on a thread of the pool, so that requests are answered meanwhile. Normalised, a password is equal on every
 * keyboard.
 */
function derive(
  password: string,
  salt: Buffer,
  { memory, passes, parallelism }: Cost,
  tagLength: number,
): Promise<Buffer> {
  const message = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
