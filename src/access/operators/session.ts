import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { sessionCookie, sessionToken } from '../auth/session.ts';
import { endSession, insertSession } from '../auth/session-store.ts';

/**
 * Signs the user in in this browser with a new token, and ends the browser's earlier session. Source: OWASP, Session
 * Management, "Renew the session ID after any privilege level change".
 */
export async function startSession(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const earlier = sessionToken(headers);
  const token = randomToken();
  if (earlier !== null) await endSession(sql, sha256(earlier));
  await insertSession(sql, { tokenHash: sha256(token), userId, now: clock.now() });
  reply.header('set-cookie', sessionCookie(token));
}
