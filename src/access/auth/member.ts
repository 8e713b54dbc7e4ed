import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../platform/context.ts';
import { HttpProblem } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { type Role, requirePerson } from './person.ts';
import { notePresence } from './person-store.ts';
import { noteEveryMs } from './session.ts';

/** A person at work in one project. As a principal they call the same actions as partners. */
export type Member = Principal & {
  kind: 'person';
  role: Role;
  /** The person's own id. Null for a visitor by a partner's link. */
  userId: string | null;
  operatorId: string;
  /** The only client that they may see. Null without that limit. */
  profileId: string | null;
  /** The session of the sign-in, or the partner's link. */
  cameBy: { sessionHash: Buffer } | { frameId: string };
};

export const onlyAdministrators = 'Only administrators may do this.';

/** Names the project of a person's call. */
export const projectHeader = 'patchbay-project';

export type MemberGuards = {
  /** Refuses a caller without a sign-in with 401, and a caller outside the project with 403. */
  requireMember: Guard<Member>;
  /** Refuses operators with 403, too. */
  requireAdmin: Guard<Member>;
};

/** For calls of the console. A header names the project, so that the paths are those of the partner API. */
export function createMemberGuards(context: Pick<Context, 'sql' | 'clock' | 'config'>): MemberGuards {
  const person = requirePerson(context);

  async function memberOf(headers: IncomingHttpHeaders): Promise<Member> {
    const { projects, userId, sessionHash } = await person.admit(headers);
    const project = projects.find(({ id }) => id === headers[projectHeader]);
    if (!project) throw new HttpProblem(403, 'You are not a member of this project.');
    const { id, role, operatorId, name, seenAt } = project;
    const now = context.clock.now();
    if (seenAt === null || Date.parse(seenAt) <= now.getTime() - noteEveryMs) {
      await notePresence(context.sql, { projectId: id, operatorId }, now);
    }
    return {
      kind: 'person',
      projectId: id,
      applicationId: null,
      name,
      role,
      userId,
      operatorId,
      callerId: operatorId,
      profileId: null,
      cameBy: { sessionHash },
    };
  }

  return {
    requireMember: { cors: false, admit: memberOf },
    requireAdmin: {
      cors: false,
      async admit(headers) {
        const member = await memberOf(headers);
        if (member.role !== 'admin') throw new HttpProblem(403, onlyAdministrators);
        return member;
      },
    },
  };
}
