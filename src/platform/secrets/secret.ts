import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new token in base64url. Its default of 32 bytes makes a plain hash of it safe to store. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** The 32 bytes under which a token is stored and looked up. Passwords need a slow hash instead. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares two secrets. Its duration reveals neither where they differ nor the other's length. */
export const constantTimeEqual = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
