import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import type { Scene } from './scene.ts';

const atOnce = 10_000;

/** Many clients with a chat each; returns the ids of the chats. */
export async function addChats(sql: Sql, scene: Scene, count: number): Promise<string[]> {
  const chats: string[] = [];
  while (chats.length < count) {
    const some = Math.min(atOnce, count - chats.length);
    const ids = Array.from({ length: some }, () => uuidv7(new Date()));
    await sql`
      with made as (
        insert into profiles (project_id, id, created_at, updated_at)
        select ${scene.project}, id, now(), now() from unnest(${ids}::uuid[]) as id returning id
      )
      insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
      select ${scene.project}, id, ${scene.channel}, id, 'API_Messenger', id::text, now(), now() from made`;
    chats.push(...ids);
  }
  return chats;
}

/** One message per chat, due now in the regular lane. The channel should be paused meanwhile. */
export async function addMessages(sql: Sql, scene: Scene, chats: string[]): Promise<void> {
  for (let from = 0; from < chats.length; from += atOnce) {
    const some = chats.slice(from, from + atOnce);
    const ids = some.map(() => uuidv7(new Date()));
    await sql`
      insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
        state, lane, due_at)
      select ${scene.project}, id, chat_id, ${scene.channel}, 'out', 'push', 'TEXT',
        '{"text": "Your order has been shipped."}', now(), 'PENDING', 1, now()
      from unnest(${ids}::uuid[], ${some}::uuid[]) as row (id, chat_id)`;
  }
  await sql`analyze messages, chats, profiles`;
}

export async function setChannel(sql: Sql, scene: Scene, state: 'active' | 'paused'): Promise<void> {
  await sql`update channels set state = ${state} where id = ${scene.channel}`;
}

export async function countSent(sql: Sql, scene: Scene): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from messages where channel_id = ${scene.channel} and state = 'SENT'`;
  return row.count;
}
