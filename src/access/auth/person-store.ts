import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Person } from './person.ts';
import { idleMs, longestMs } from './session.ts';

export type FoundPerson = {
  id: string;
  email: string;
  is_owner: boolean;
  seen_at: Date;
  projects: Person['projects'];
};

/** The condition for a row of `person_sessions` that was started and used recently enough. */
export function isInForce(sql: Sql, now: Date): Fragment {
  const since = (ms: number): Date => new Date(now.getTime() - ms);
  return sql`person_sessions.seen_at > ${since(idleMs)} and person_sessions.created_at > ${since(longestMs)}`;
}

/** The person of a session that is in force. */
export async function findPerson(sql: Sql, tokenHash: Buffer, now: Date): Promise<FoundPerson | undefined> {
  const [row] = await sql<FoundPerson[]>`
    select users.id, users.email, is_owner, seen_at, coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'id', projects.id, 'title', projects.name, 'role', role, 'operatorId', operators.id, 'name', operators.name,
            'seenAt', operators.seen_at
          ) order by projects.name, projects.id
        )
        from operators join projects on projects.id = operators.project_id
        where operators.user_id = users.id and not awaits_proof and not awaits_consent
      ),
      '[]'
    ) as projects
    from person_sessions join users on users.id = user_id
    where token_hash = ${tokenHash} and ${isInForce(sql, now)}`;
  return row;
}

export async function noteUse(sql: Sql, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`update person_sessions set seen_at = ${now} where token_hash = ${tokenHash} and seen_at < ${now}`;
}

/** Notes that a person is at work in a project. */
export async function notePresence(
  sql: Sql,
  { projectId, operatorId }: { projectId: string; operatorId: string },
  now: Date,
): Promise<void> {
  await sql`update operators set seen_at = ${now} where project_id = ${projectId} and id = ${operatorId}`;
}
