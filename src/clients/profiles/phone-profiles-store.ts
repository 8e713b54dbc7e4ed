import type { Sql } from '../../platform/database/database.ts';
import type { Actor } from './audit.ts';

/** Makes a profile for each of these phone numbers that no profile has, and records it. */
export async function addProfilesWithPhones(
  sql: Sql,
  projectId: string,
  profiles: readonly { phone: string; id: string; record_id: string }[],
  actor: Actor,
  now: Date,
): Promise<void> {
  await sql`
    with wanted as (
      select * from unnest(
        ${profiles.map(({ phone }) => phone)}::text[], ${profiles.map(({ id }) => id)}::uuid[],
        ${profiles.map((profile) => profile.record_id)}::uuid[]
      ) with ordinality as wanted (phone, id, record_id, place)
    ),
    made as (
      insert into profiles (project_id, id, phone_number, created_at, updated_at)
      select ${projectId}, id, phone, ${now}, ${now} from wanted
      order by place
      on conflict (project_id, phone_number) do nothing
      returning profiles as after
    )
    insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
    select ${projectId}, wanted.record_id, wanted.id, 'created', profile_changes(null, made.after), ${actor.type},
      ${actor.name}, ${now}
    from made join wanted on wanted.id = (made.after).id`;
}
