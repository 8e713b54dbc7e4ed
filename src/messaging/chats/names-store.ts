import type { Sql } from '../../platform/database/database.ts';
import { type FairLease, fairlyDue } from '../../platform/database/fair-lease.ts';

export type NamelessChat = {
  project_id: string;
  id: string;
  channel_id: string;
  profile_id: string;
  external_id: string;
  /** Including this one. */
  name_tries: number;
};

/** Leases chats whose provider is to be asked for a name, the oldest first, and few of one project. */
export function leaseNameless(sql: Sql, lease: FairLease): Promise<NamelessChat[]> {
  return sql<NamelessChat[]>`
    update chats set name_due_at = ${lease.until}, name_tries = name_tries + 1
    where name_due_at <= ${lease.now} and (project_id, id) in (${fairlyDue(sql, 'chats', 'name_due_at', lease)})
    returning project_id, id, channel_id, profile_id, external_id, name_tries`;
}

type ChatKey = Pick<NamelessChat, 'project_id' | 'id'>;

/** When to ask again. Null: never. */
export async function postponeName(sql: Sql, { project_id, id }: ChatKey, due: Date | null): Promise<void> {
  await sql`
    update chats set name_due_at = ${due}
    where project_id = ${project_id} and id = ${id} and name_due_at is not null`;
}

/** A name that is known meanwhile stays. */
export async function saveNames(
  sql: Sql,
  { project_id, id }: ChatKey,
  { name = null, username = null }: { name?: string | null; username?: string | null },
): Promise<void> {
  await sql`
    update chats set name_due_at = null, name = coalesce(name, ${name}), username = coalesce(username, ${username})
    where project_id = ${project_id} and id = ${id}`;
}
