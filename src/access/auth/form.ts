import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { constantTimeEqual, randomToken } from '../../platform/secrets/secret.ts';
import { isFromOwnPage } from './own-page.ts';
import { formTokenOf, sessionCookie, sessionToken } from './session.ts';

/** The token for a form in this browser. A browser without our cookie gets one. Signing in replaces that cookie. */
export function openForm({ headers }: FastifyRequest, reply: FastifyReply): string {
  const known = sessionToken(headers);
  const token = known ?? randomToken();
  if (known === null) reply.header('set-cookie', sessionCookie(token));
  return formTokenOf(token);
}

/** Whether a form came from a page that we sent to this very browser. */
export function isOwnForm({ headers }: FastifyRequest, { publicUrl }: Config, formToken: string): boolean {
  const token = sessionToken(headers);
  if (token === null || !isFromOwnPage(headers, publicUrl)) return false;
  return constantTimeEqual(formToken, formTokenOf(token));
}
