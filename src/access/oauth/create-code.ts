import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { after, isChallenge, lifetimes } from './rules.ts';
import { insertCode } from './store.ts';

export type Grant = {
  projectId: string;
  applicationId: string;
  redirectUri: string;
  /** S256; null when the client does not use PKCE. */
  codeChallenge: string | null;
  /** The operator who gives the access. */
  approvedBy: string;
};

/**
 * Makes a code that the application exchanges once, within ten minutes. The caller has checked that the signed-in
 * user may grant access to the project. Throws `Invalid` on `redirect_uri` when exactly this address is not
 * registered. The caller must not redirect there. Throws `Invalid` on `code_challenge`, too. Source:
 * docs/contract.md, section 2.
 */
export async function createCode(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { codeChallenge, ...grant }: Grant,
): Promise<string> {
  if (codeChallenge !== null && !isChallenge(codeChallenge)) {
    throw invalid('code_challenge', 'This is not a code challenge made with S256.');
  }
  const code = randomToken();
  const expiresAt = after(clock.now(), lifetimes.codeMs);
  const stored = await insertCode(sql, { ...grant, codeChallenge, codeHash: sha256(code), expiresAt });
  if (!stored) throw invalid('redirect_uri', 'This address is not registered for the application.');
  return code;
}
