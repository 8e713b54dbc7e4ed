import type { Sql } from '../../../platform/database/database.ts';

type FirstAdmin = { projectId: string; userId: string; email: string; name: string; createdAt: Date };

/** Somebody who is a user already becomes the administrator of a project that has nobody yet. */
export async function insertFirstAdmin(sql: Sql, admin: FirstAdmin): Promise<void> {
  await sql`
    insert into operators (project_id, id, user_id, role, email, name, created_at)
    values (${admin.projectId}, ${admin.userId}, ${admin.userId}, 'admin', ${admin.email}, ${admin.name},
      ${admin.createdAt})`;
}
