import type { Context } from '../../platform/context.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { insertShownLink, insertSignInLink, type LinkPurpose } from '../auth/sign-in-store.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'config'>;

const hourMs = 3_600_000;

/** Makes an address that signs the user in without a password: once, within a day. It is shown this once. */
export const createSignInLink = (tools: Tools, userId: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'sign_in', path: 'sign-in', livesMs: 24 * hourMs });

/**
 * Makes an address where a person invited to a project chooses a password: once, within a day. Anyone who sees it can
 * become that user.
 */
export const createInvitation = (tools: Tools, userId: string, invitedTo: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'password', path: 'password', livesMs: 24 * hourMs, invitedTo });

/**
 * The same for the eyes of a project's administrator. For an operator with a password, or in another project, it
 * looks the same but opens nothing: it asks them to sign in. Anyone who sees a working link could impersonate them
 * there.
 */
export async function createShownInvitation(
  tools: Tools,
  { projectId, operatorId, userId }: { projectId: string; operatorId: string; userId: string },
): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(tools.clock.now().getTime() + 24 * hourMs);
  const shown = { tokenHash: sha256(token), projectId, operatorId, expiresAt };
  if (await insertShownLink(tools.sql, shown)) return `${tools.config.publicUrl}/password/${token}/`;
  return createLink(tools, {
    userId,
    purpose: 'invitation',
    path: 'password',
    livesMs: 24 * hourMs,
    invitedTo: projectId,
  });
}

/** For a person who has forgotten their password, within an hour. */
export const createPasswordReset = (tools: Tools, userId: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'password', path: 'password', livesMs: hourMs });

type Link = {
  userId: string;
  purpose: LinkPurpose;
  path: string;
  livesMs: number;
  invitedTo?: string | null;
};

async function createLink(
  { sql, clock, config }: Tools,
  { userId, purpose, path, livesMs, invitedTo = null }: Link,
): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(clock.now().getTime() + livesMs);
  await insertSignInLink(sql, { tokenHash: sha256(token), userId, purpose, expiresAt, invitedTo });
  return `${config.publicUrl}/${path}/${token}/`;
}
