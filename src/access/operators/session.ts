import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { sessionCookie, sessionToken } from '../auth/session.ts';
import { endSession, type NewSession } from '../auth/session-store.ts';

/**
 * Signs somebody in in this browser with a new token, and ends the browser's earlier session. `open` stores the new
 * session. False when it refuses: what they proved has changed meanwhile. Source: OWASP, Session Management, "Renew the
 * session ID after any privilege level change".
 */
export async function startSession(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  open: (session: NewSession) => Promise<boolean>,
): Promise<boolean> {
  const token = randomToken();
  if (!(await open({ tokenHash: sha256(token), now: clock.now() }))) return false;
  const earlier = sessionToken(headers);
  if (earlier !== null) await endSession(sql, sha256(earlier));
  reply.header('set-cookie', sessionCookie(token));
  return true;
}
