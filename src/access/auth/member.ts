import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../platform/context.ts';
import { HttpProblem } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { type Role, requirePerson } from './person.ts';
import { notePresence } from './person-store.ts';
import { noteEveryMs } from './session.ts';

/** Somebody at work in one project: as a principal they call the actions that partners call. */
export type Member = Principal & {
  kind: 'person';
  role: Role;
  /** The person's own id; null for whoever came by a partner's link. */
  userId: string | null;
  operatorId: string;
  /** The only client that they may see; null where they may see all. */
  profileId: string | null;
  /** The session that they are signed in by, or the partner's link that they came by. */
  cameBy: { sessionHash: Buffer } | { frameId: string };
};

/** Names the project that a person's call is about. */
export const projectHeader = 'patchbay-project';

export type MemberGuards = {
  /** Refuses with 401 whoever is not signed in, and with 403 whoever does not belong to the project. */
  requireMember: Guard<Member>;
  /** Refuses operators with 403, too. */
  requireAdmin: Guard<Member>;
};

/** For what the console calls. The project is told in a header, so that paths are those of the partner API. */
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
        if (member.role !== 'admin') throw new HttpProblem(403, 'Only administrators may do this.');
        return member;
      },
    },
  };
}
