import type { Context } from '../context.ts';
import { randomToken, sha256 } from '../lib/secret.ts';
import { insertShownLink, insertSignInLink, type LinkPurpose } from './sign-in-store.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'config'>;

const hourMs = 3_600_000;

/** An address that signs the user in without a password: once, within a day. It is shown this once. */
export const createSignInLink = (tools: Tools, userId: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'sign_in', path: 'sign-in', livesMs: 24 * hourMs });

/** An address where somebody who was invited chooses a password: once, within a day. Whoever sees it can become that user. */
export const createInvitation = (tools: Tools, userId: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'password', path: 'password', livesMs: 24 * hourMs });

/**
 * The same for the eyes of an administrator of the project. Null for an operator who has a password already, or whom
 * another project knows: whoever sees the link could be them there.
 */
export async function createShownInvitation(
  { sql, clock, config }: Tools,
  operator: { projectId: string; operatorId: string },
): Promise<string | null> {
  const token = randomToken();
  const expiresAt = new Date(clock.now().getTime() + 24 * hourMs);
  const isMade = await insertShownLink(sql, { ...operator, tokenHash: sha256(token), expiresAt });
  return isMade ? `${config.publicUrl}/password/${token}/` : null;
}

/** For somebody who has forgotten theirs, within an hour. */
export const createPasswordReset = (tools: Tools, userId: string): Promise<string> =>
  createLink(tools, { userId, purpose: 'password', path: 'password', livesMs: hourMs });

type Link = { userId: string; purpose: LinkPurpose; path: string; livesMs: number };

async function createLink(
  { sql, clock, config }: Tools,
  { userId, purpose, path, livesMs }: Link,
): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(clock.now().getTime() + livesMs);
  await insertSignInLink(sql, { tokenHash: sha256(token), userId, purpose, expiresAt });
  return `${config.publicUrl}/${path}/${token}/`;
}
