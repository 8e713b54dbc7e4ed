import type { Sql } from '../../platform/database/database.ts';
import type { Entry } from './audit.ts';
import { insertRecord } from './audit-store.ts';
import { type More, namingTurn } from './change-store.ts';
import type { ProfileRow } from './present.ts';

export type LockedProfile = Omit<ProfileRow, 'chats'>;

/** Locks a chat's profile and the owner of the phone number, until the end of the transaction. */
export async function lockForPhone(
  sql: Sql,
  projectId: string,
  chatId: string,
  phone: string,
): Promise<LockedProfile[]> {
  await namingTurn(sql, projectId);
  return sql<LockedProfile[]>`
    select * from profiles
    where project_id = ${projectId} and (phone_number = ${phone}
      or id = (select profile_id from chats where project_id = ${projectId} and id = ${chatId}))
    for update`;
}

/** Deletes a profile without chats, and records it. */
export async function deleteProfile(
  sql: Sql,
  projectId: string,
  id: string,
  entry: Entry,
  more: More,
): Promise<void> {
  await sql`
    with gone as (
      delete from profiles where project_id = ${projectId} and id = ${id}
      returning profiles as before, null::profiles as after,
        profile_changes(profiles, null) || ${sql.json(more)}::jsonb as changes
    )
    ${insertRecord(sql, 'deleted', entry, sql`gone`)}`;
}
