import type { Sql } from '../storage/database.ts';
import type { Person } from './person.ts';

export type FoundPerson = {
  id: string;
  email: string;
  is_owner: boolean;
  seen_at: Date;
  projects: Person['projects'];
};

/** Whose session it is, if it was used and started lately enough. */
export async function findPerson(
  sql: Sql,
  tokenHash: Buffer,
  { seenAfter, startedAfter }: { seenAfter: Date; startedAfter: Date },
): Promise<FoundPerson | undefined> {
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
        where operators.user_id = users.id and not awaits_proof
      ),
      '[]'
    ) as projects
    from person_sessions join users on users.id = user_id
    where token_hash = ${tokenHash} and seen_at > ${seenAfter} and person_sessions.created_at > ${startedAfter}`;
  return row;
}

export async function noteUse(sql: Sql, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`update person_sessions set seen_at = ${now} where token_hash = ${tokenHash} and seen_at < ${now}`;
}

/** Somebody is at work in a project. */
export async function notePresence(
  sql: Sql,
  { projectId, operatorId }: { projectId: string; operatorId: string },
  now: Date,
): Promise<void> {
  await sql`update operators set seen_at = ${now} where project_id = ${projectId} and id = ${operatorId}`;
}
