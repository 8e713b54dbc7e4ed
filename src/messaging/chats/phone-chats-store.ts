import type { Sql } from '../../platform/database/database.ts';
import type { ChatChannel } from './store.ts';

/** Creates the chats at these phone numbers, for the profiles that have them. Existing chats stay unchanged. */
export async function addChatsWithPhones(
  sql: Sql,
  { projectId, id: channelId, platform }: ChatChannel,
  chats: readonly { phone: string; id: string }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into chats (
      project_id, id, channel_id, profile_id, platform, external_id, phone, created_at, last_active_at
    )
    select ${projectId}, chat.id, ${channelId}, profiles.id, ${platform}, chat.phone, chat.phone, ${now}, ${now}
    from unnest(
      ${chats.map(({ phone }) => phone)}::text[], ${chats.map(({ id }) => id)}::uuid[]
    ) with ordinality as chat (phone, id, place)
    join profiles on profiles.project_id = ${projectId} and profiles.phone_number = chat.phone
    order by chat.place
    on conflict (project_id, channel_id, external_id) do nothing`;
}
