import type { Context } from '../context.ts';
import { randomToken, sha256 } from '../lib/secret.ts';
import { insertSignInLink } from './sign-in-store.ts';

const goodForMs = 24 * 60 * 60 * 1000;

/** An address that signs the user in without a password: once, within a day. It is shown this once. */
export async function createSignInLink(
  { sql, clock, config }: Pick<Context, 'sql' | 'clock' | 'config'>,
  userId: string,
): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(clock.now().getTime() + goodForMs);
  await insertSignInLink(sql, { tokenHash: sha256(token), userId, expiresAt });
  return `${config.publicUrl}/sign-in/${token}/`;
}
