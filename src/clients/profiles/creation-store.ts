import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Entry } from './audit.ts';
import { insertRecord } from './audit-store.ts';

export type NewProfile = { projectId: string; id: string; name: string | null };

/** CTEs for a larger statement. They make a profile for the row of `source`, if it has one, and record it. */
export const newProfileCtes = (
  sql: Sql,
  { projectId, id, name }: NewProfile,
  entry: Entry,
  source: Fragment,
) => sql`
  made as (
    insert into profiles (project_id, id, name, created_at, updated_at)
    select ${projectId}, ${id}, ${name}, ${entry.now}, ${entry.now} from ${source}
    returning null::profiles as before, profiles as after, profile_changes(null, profiles) as changes
  ),
  recorded as (${insertRecord(sql, 'created', entry, sql`made`)})`;

/**
 * The same with a phone number (E.164), and with an `owner`: the profile that has the number, or the new one. The
 * update changes nothing. It makes the CTE return the existing profile, locked.
 */
export const phoneOwnerCtes = (
  sql: Sql,
  { projectId, id, name }: NewProfile,
  entry: Entry,
  phone: string,
) => sql`
  owner as (
    insert into profiles (project_id, id, name, phone_number, created_at, updated_at)
    values (${projectId}, ${id}, ${name}, ${phone}, ${entry.now}, ${entry.now})
    on conflict (project_id, phone_number) do update set updated_at = profiles.updated_at
    returning null::profiles as before, profiles as after, profile_changes(null, profiles) as changes
  ),
  recorded as (${insertRecord(sql, 'created', entry, sql`owner where (after).id = ${id}`)})`;
