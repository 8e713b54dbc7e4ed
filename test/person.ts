import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { insertOperator, setOwner } from '../src/access/auth/operators-store.ts';
import type { Role } from '../src/access/auth/person.ts';
import { insertSession } from '../src/access/auth/session-store.ts';
import { findPasswordHash } from '../src/access/auth/sign-in-store.ts';
import type { Context } from '../src/platform/context.ts';
import { randomToken, sha256 } from '../src/platform/secrets/secret.ts';
import { emailOf } from './email.ts';

export type SignedIn = { email: string; userId: string; operatorId: string; headers: Record<string, string> };

type Somebody = { projectId: string; role?: Role; name?: string; owner?: boolean };

/** A signed-in person of the project. `headers` are those of the console's calls. */
export async function signIn(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, role = 'admin', name = 'Olga', owner = false }: Somebody,
): Promise<SignedIn> {
  const email = emailOf(`${randomUUID()}@people.test`);
  const person = {
    id: newId(),
    projectId,
    email,
    name,
    role,
    passwordHash: null,
    createdAt: clock.now(),
    isProved: true,
    isAsked: false,
  };
  const operator = await insertOperator(sql, person);
  if (!operator) throw new Error('somebody has this address already');
  await setOwner(sql, operator.userId, owner);
  const token = await newSession({ sql, clock }, operator.userId);
  const cookie = `__Host-patchbay-session=${token}`;
  return {
    email,
    userId: operator.userId,
    operatorId: operator.id,
    headers: { cookie, 'patchbay-project': projectId },
  };
}

/** The token of a new session of the user. */
export async function newSession(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  userId: string,
): Promise<string> {
  const token = randomToken();
  const passwordHash = await findPasswordHash(sql, userId);
  assert.ok(await insertSession(sql, { tokenHash: sha256(token), userId, passwordHash, now: clock.now() }));
  return token;
}
