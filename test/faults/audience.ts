import type { Sql } from '../../src/platform/database/database.ts';
import type { Partner } from '../harness.ts';

/** `name` is the client's external id in the profile and in the chat. */
export type Recipient = { name: string; profile: string; chat: string };

/** Clients who have written before: `client-1`, `client-2` and so on. */
export async function addRecipients(
  longSql: Sql,
  { projectId, channel }: Partner,
  count: number,
): Promise<Recipient[]> {
  const now = new Date();
  return longSql<Recipient[]>`
    with people as (
      insert into profiles (project_id, id, external_id, created_at, updated_at)
      select ${projectId}, gen_random_uuid(), 'client-' || number, ${now}, ${now}
      from generate_series(1, ${count}::integer) as number
      returning id, external_id
    )
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select ${projectId}, gen_random_uuid(), ${channel.id}, id, 'API_Messenger', external_id, ${now}, ${now} from people
    returning external_id as name, profile_id as profile, id as chat`;
}

/** A group of available promo codes. */
export async function addCodes(
  longSql: Sql,
  { projectId }: Partner,
  name: string,
  count: number,
): Promise<void> {
  const now = new Date();
  await longSql`
    with made as (
      insert into promocode_groups (project_id, id, name, created_at)
      values (${projectId}, gen_random_uuid(), ${name}, ${now}) returning id
    )
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), made.id, 'CODE-' || number, 'AVAILABLE', ${now}, ${now}
    from made, generate_series(1, ${count}::integer) as number`;
}
