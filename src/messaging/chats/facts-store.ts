import type { Facts } from '../../clients/filters/facts.ts';
import type { Sql } from '../../platform/database/database.ts';

/** Facts about the recipients of a project's chats, by the chat's uuid. */
export async function loadFacts(
  sql: Sql,
  projectId: string,
  chatIds: readonly string[],
): Promise<Map<string, Facts>> {
  const rows = await sql<Facts[]>`
    select
      jsonb_build_object(
        'uuid', chats.id, 'platform', chats.platform, 'name', chats.name, 'username', chats.username,
        'phone', chats.phone, 'created_at', iso(chats.created_at), 'variables', chats.variables
      ) as chat,
      jsonb_build_object(
        'uuid', profiles.id, 'external_id', profiles.external_id, 'phone_number', phone_number, 'email', email,
        'name', profiles.name, 'timezone', timezone, 'pda_agreed', iso(pda_agreed),
        'created_at', iso(profiles.created_at), 'tags', tags, 'attrs', attrs
      ) as profile
    from chats
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where chats.project_id = ${projectId} and chats.id = any (${chatIds}::uuid[])`;
  return new Map(rows.map((facts) => [facts.chat.uuid, facts]));
}
