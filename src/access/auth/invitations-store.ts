import type { Sql } from '../../platform/database/database.ts';
import type { Role } from './person.ts';

export type Invited = { uuid: string; title: string; role: Role };

/** An account that others than its address's owner may control cannot answer. */
const waiting = (sql: Sql, userId: string) => sql`
  operators.user_id = ${userId} and awaits_consent and not awaits_proof`;

/** Sorted by name. */
export function findInvitations(sql: Sql, userId: string): Promise<Invited[]> {
  return sql<Invited[]>`
    select projects.id as uuid, projects.name as title, role
    from operators join projects on projects.id = project_id
    where ${waiting(sql, userId)} order by projects.name, projects.id`;
}

/** The operator's id. Null when no invitation is pending. */
export async function acceptInvitation(sql: Sql, userId: string, projectId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    update operators set awaits_consent = false
    where project_id = ${projectId} and ${waiting(sql, userId)} returning id`;
  return row?.id ?? null;
}

export async function declineInvitation(sql: Sql, userId: string, projectId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    delete from operators where project_id = ${projectId} and ${waiting(sql, userId)} returning id`;
  return row?.id ?? null;
}
