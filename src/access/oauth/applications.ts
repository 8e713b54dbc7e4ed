import { randomUUID } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { isPrivateWay, isWebUrl } from '../../platform/http/formats.ts';
import { readName } from '../../platform/http/name.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { type FieldMessages, Invalid, messages, NotFound } from '../../platform/problem.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { insertApplication, updateApplicationRow } from './applications-store.ts';

/** The secret is shown this once. */
export type CreatedApplication = { clientId: string; clientSecret: string };

/** An application that a project owns. */
export type OwnApplication = { ownerId: string; id: string };

/**
 * Registers an application, which any number of projects may then grant access to. Throws `Invalid` on `name` and on
 * `redirect_uris`. Allowed are https addresses without a fragment (RFC 6749, section 3.1.2), and http to loopback
 * (RFC 8252, section 7.3).
 */
export async function createApplication(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { name, redirectUris, ownerId = null }: { name: string; redirectUris: string[]; ownerId?: string | null },
): Promise<CreatedApplication> {
  check({ name, redirectUris });
  readName(name);
  const clientId = randomUUID();
  const clientSecret = randomToken();
  const secretHash = sha256(clientSecret);
  const row = { id: clientId, name, secretHash, redirectUris, createdAt: clock.now(), ownerId };
  if (ownerId === null) await insertApplication(sql, row);
  else await withRoom(sql, 'applications', ownerId, (transaction) => insertApplication(transaction, row));
  return { clientId, clientSecret };
}

/** Changes the given fields. Throws `Invalid` as creating does, and `NotFound`. */
export async function updateApplication(
  { sql }: Pick<Context, 'sql'>,
  application: OwnApplication,
  change: { name?: string; redirectUris?: string[] },
): Promise<void> {
  check(change);
  if (!(await updateApplicationRow(sql, application, change))) throw new NotFound();
}

/**
 * Makes another secret, which is shown this once. The earlier one is refused from now on. Tokens stay valid. Throws
 * `NotFound`.
 */
export async function rotateApplicationSecret(
  { sql }: Pick<Context, 'sql'>,
  application: OwnApplication,
): Promise<string> {
  const secret = randomToken();
  if (!(await updateApplicationRow(sql, application, { secretHash: sha256(secret) }))) throw new NotFound();
  return secret;
}

function check({ name, redirectUris }: { name?: string; redirectUris?: string[] }): void {
  const complaints: FieldMessages = {
    ...(name === '' && { name: [messages.blank] }),
    ...(redirectUris && complaintsAbout(redirectUris)),
  };
  if (Object.keys(complaints).length > 0) throw new Invalid(complaints);
}

/** Its origin is named in a policy for browsers, where other characters are patterns or further rules. */
const hasPlainHost = (uri: string): boolean =>
  /^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(URL.parse(uri)?.hostname ?? '');

function complaintsAbout(redirectUris: string[]): FieldMessages {
  if (redirectUris.length === 0) return { redirect_uris: ['This list may not be empty.'] };
  const wrong = redirectUris.filter(
    (uri) => !isWebUrl(uri) || !isPrivateWay(uri) || !hasPlainHost(uri) || uri.includes('#'),
  );
  if (wrong.length === 0) return {};
  return {
    redirect_uris: wrong.map(
      (uri) => `"${uri}" is not an https address without a fragment. http is allowed only for this machine.`,
    ),
  };
}
