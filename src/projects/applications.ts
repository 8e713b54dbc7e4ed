import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { isWebUrl } from '../http/formats.ts';
import { Invalid, invalid, messages } from '../lib/problem.ts';
import { randomToken, sha256 } from '../lib/secret.ts';
import { insertApplication } from './store.ts';

/** The secret is shown this once. */
export type CreatedApplication = { clientId: string; clientSecret: string };

/**
 * Registers an application, which may then be granted access to any number of projects. Throws `Invalid` on `name` and
 * on `redirect_uris`: http(s) addresses without a fragment (RFC 6749, section 3.1.2).
 */
export async function createApplication(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { name, redirectUris }: { name: string; redirectUris: string[] },
): Promise<CreatedApplication> {
  if (name === '') throw invalid('name', messages.blank);
  if (redirectUris.length === 0) throw invalid('redirect_uris', 'This list may not be empty.');
  const wrong = redirectUris.filter((uri) => !isWebUrl(uri) || uri.includes('#'));
  if (wrong.length > 0) {
    throw new Invalid({
      redirect_uris: wrong.map((uri) => `"${uri}" is not an http(s) address without a fragment.`),
    });
  }
  const clientId = randomUUID();
  const clientSecret = randomToken();
  await insertApplication(sql, {
    id: clientId,
    name,
    secretHash: sha256(clientSecret),
    redirectUris,
    createdAt: clock.now(),
  });
  return { clientId, clientSecret };
}
