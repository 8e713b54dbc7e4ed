import type { ChatFacts, MessageFacts, SessionFacts } from '../messaging/chats/present.ts';
import { openSessionFacts } from '../messaging/chats/sessions-store.ts';
import type { Sql } from '../platform/database/database.ts';

/**
 * Claims the making of the demo: true for one caller ever, on a database without projects. A claim lapses if its
 * owner died before the demo was complete.
 */
export async function claimDemo(sql: Sql, now: Date, until: Date): Promise<boolean> {
  const rows = await sql`
    insert into demos (claimed_until)
    select ${until}
    where not exists (select from projects) or exists (select from demos where project_id is null)
    on conflict (one) do update set claimed_until = excluded.claimed_until
      where demos.project_id is null and demos.claimed_until <= ${now}
    returning one`;
  return rows.length === 1;
}

export type DemoChat = { project_id: string; channel_id: string; chat_id: string };

export async function completeDemo(
  sql: Sql,
  demo: DemoChat,
  { applicationId, endAt }: { applicationId: string; endAt: Date },
): Promise<void> {
  await sql`
    update demos set project_id = ${demo.project_id}, channel_id = ${demo.channel_id}, chat_id = ${demo.chat_id},
      application_id = ${applicationId}, keys_end_at = ${endAt},
      bot_key_id = (select id from bot_keys where project_id = ${demo.project_id} order by id limit 1)`;
}

/** Keeps the demo's keys, which are in use. */
export async function keepKeys(sql: Sql, projectId: string): Promise<void> {
  await sql`update demos set keys_end_at = null where project_id = ${projectId}`;
}

type DemoKeys = { project_id: string; bot_key_id: string; application_id: string };

/** The keys of a demo whose day is over, unless an administrator keeps them. They are returned once. */
export async function takeEndedKeys(sql: Sql, now: Date): Promise<DemoKeys | undefined> {
  const [row] = await sql<DemoKeys[]>`
    update demos set keys_end_at = null where keys_end_at <= ${now}
    returning project_id, bot_key_id, application_id`;
  return row;
}

export async function findDemo(sql: Sql): Promise<DemoChat | undefined> {
  const [row] = await sql<DemoChat[]>`
    select project_id, channel_id, chat_id from demos where project_id is not null`;
  return row;
}

export type Answer = {
  chat: ChatFacts;
  message: MessageFacts;
  session: SessionFacts | null;
  created_at: Date;
};

/** The last message that the demo's client has written. */
export async function findLastAnswer(
  sql: Sql,
  { project_id, chat_id }: DemoChat,
): Promise<Answer | undefined> {
  const [row] = await sql<Answer[]>`
    select
      jsonb_build_object('id', chats.id, 'platform', chats.platform, 'name', chats.name, 'phone', chats.phone,
        'avatar', chats.avatar, 'profile_id', chats.profile_id) as chat,
      jsonb_build_object('id', messages.id, 'content_type', messages.content_type, 'content', messages.content,
        'external_id', messages.external_id) as message,
      ${openSessionFacts(sql, sql`chats.project_id`, sql`chats.id`)} as session,
      messages.created_at
    from messages
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    where messages.project_id = ${project_id} and messages.chat_id = ${chat_id} and messages.direction = 'in'
    order by messages.id desc limit 1`;
  return row;
}
