import { sha256 } from '../../platform/secrets/secret.ts';

/** Source: docs/contract.md, section 2. */
export const lifetimes = {
  codeMs: 10 * 60 * 1000,
  accessSeconds: 3600,
  refreshMs: 90 * 24 * 3600 * 1000,
  /** A client whose answer was lost may reuse its refresh token for this long. */
  graceMs: 10_000,
} as const;

export const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/** PKCE with S256, the only supported method. Source: RFC 7636, section 4.2. */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url');

export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
