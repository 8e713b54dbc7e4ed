import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new token, base64url. The default of 32 bytes is what makes a plain hash of it safe to store. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** The 32 bytes under which a token is stored and looked up. Not for passwords: those need a slow hash. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares two secrets without telling by its time where they differ, nor how long the other one is. */
export const constantTimeEqual = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
