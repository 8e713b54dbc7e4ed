import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../platform/context.ts';
import { credentials, HttpProblem } from '../../platform/http/errors.ts';
import type { Guard } from '../../platform/http/guard.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { isFromOwnPage } from './own-page.ts';
import { findPerson, noteUse } from './person-store.ts';
import { noteEveryMs, sessionToken } from './session.ts';

export type Role = 'admin' | 'operator';

/** A signed-in person. */
export type Person = {
  userId: string;
  /** Identifies their session. */
  sessionHash: Buffer;
  email: string;
  /** Whether they own the installation. */
  isOwner: boolean;
  /** Sorted by name. `operatorId` is the person in the chats of that project, and `name` their name there. */
  projects: {
    id: string;
    title: string;
    role: Role;
    operatorId: string;
    name: string;
    seenAt: string | null;
  }[];
};

type Tools = Pick<Context, 'sql' | 'clock'>;

/**
 * The person who is signed in in this browser, or null. Roles are read anew each time, so that a change holds at
 * once.
 */
export async function personIn({ sql, clock }: Tools, headers: IncomingHttpHeaders): Promise<Person | null> {
  const token = sessionToken(headers);
  if (token === null) return null;
  const now = clock.now();
  const sessionHash = sha256(token);
  const found = await findPerson(sql, sessionHash, now);
  if (!found) return null;
  if (found.seen_at.getTime() <= now.getTime() - noteEveryMs) await noteUse(sql, sessionHash, now);
  const { id: userId, email, is_owner: isOwner, projects } = found;
  return { userId, sessionHash, email, isOwner, projects };
}

/**
 * For calls of the console and the chat center. Refuses a request from another site with 403, whatever its cookies,
 * and a request without a sign-in with 401. The action decides the person's rights in each project.
 */
export const requirePerson = (context: Pick<Context, 'sql' | 'clock' | 'config'>): Guard<Person> => ({
  cors: false,
  async admit(headers) {
    if (!isFromOwnPage(headers, context.config.publicUrl)) {
      throw new HttpProblem(403, 'Only Patchbay’s own pages may call this.');
    }
    const person = await personIn(context, headers);
    if (!person) throw new HttpProblem(401, credentials.missing);
    return person;
  },
});
