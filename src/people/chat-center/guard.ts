import type { IncomingHttpHeaders } from 'node:http';
import { createMemberGuards, type Member } from '../../access/auth/member.ts';
import { isFromOwnPage } from '../../access/auth/own-page.ts';
import { findSession } from '../../access/iframe/store.ts';
import type { Context } from '../../platform/context.ts';
import { credentials, HttpProblem } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import { isUuid } from '../../platform/id.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { browserToken } from '../iframe/browser.ts';

/** Names the session of a partner's temporary link, if the chat center is in a frame. */
export const frameHeader = 'patchbay-frame';

type Tools = Pick<Context, 'sql' | 'clock' | 'config'>;

/** Admits signed-in members of the project, and browsers with a partner's link. */
export function requireOperator(context: Tools): Guard<Member> {
  const { requireMember } = createMemberGuards(context);
  return {
    cors: false,
    admit: (headers) =>
      headers[frameHeader] === undefined ? requireMember.admit(headers) : inFrame(context, headers),
  };
}

/** Also refuses operators who are limited to one client, with 403: what all operators share is not theirs to change. */
export function requireUnlimitedOperator(context: Tools): Guard<Member> {
  const operator = requireOperator(context);
  return {
    cors: false,
    async admit(headers) {
      const caller = await operator.admit(headers);
      if (caller.profileId === null) return caller;
      throw new HttpProblem(403, 'Quick answers can only be read here.');
    },
  };
}

/** Our own page makes the calls in the frame, whatever page embeds it. */
async function inFrame({ sql, clock, config }: Tools, headers: IncomingHttpHeaders): Promise<Member> {
  if (!isFromOwnPage(headers, config.publicUrl)) {
    throw new HttpProblem(403, 'Only Patchbay’s own pages may call this.');
  }
  const id = headers[frameHeader];
  const browser = browserToken(headers);
  const session =
    browser && typeof id === 'string' && isUuid(id)
      ? await findSession(sql, id, sha256(browser), clock.now())
      : undefined;
  if (!session) throw new HttpProblem(401, credentials.missing);
  return {
    kind: 'person',
    userId: null,
    projectId: session.project_id,
    applicationId: null,
    name: session.operator,
    role: 'operator',
    operatorId: session.operator_id,
    callerId: session.operator_id,
    profileId: session.profile_id,
    cameBy: { frameId: session.id },
  };
}
