import type { Platform } from '../src/channels/contract/platforms.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';

/** A moment for tests that need any. */
export const noon = new Date('2026-11-20T12:00:00.000Z');

const newId = (): string => uuidv7(noon);

/** Rows that features need and do not own. Each function returns the new row's id. */

export async function seedProject(
  sql: Sql,
  options: { opensSessionOnMessage?: boolean } = {},
): Promise<string> {
  const id = newId();
  await sql`
    insert into projects (id, name, open_session_on_message, created_at)
    values (${id}, 'Shop', ${options.opensSessionOnMessage ?? false}, ${noon})`;
  return id;
}

export async function seedChannel(
  sql: Sql,
  projectId: string,
  platform: Platform = 'API_Messenger',
): Promise<string> {
  const id = newId();
  await sql`
    insert into channels (project_id, id, platform, name, settings, sealed_settings, created_at)
    values (${projectId}, ${id}, ${platform}, ${platform}, '{}', '', ${noon})`;
  return id;
}

export async function seedApplication(sql: Sql): Promise<string> {
  const id = newId();
  await sql`
    insert into applications (id, name, secret_hash, redirect_uris, created_at)
    values (${id}, 'CRM', '', '{}', ${noon})`;
  return id;
}

/** An administrator who enters by temporary links only. */
export async function seedAdmin(sql: Sql, projectId: string): Promise<string> {
  const id = newId();
  await sql`
    insert into operators (project_id, id, role, email, name, created_at)
    values (${projectId}, ${id}, 'admin', ${`${id}@shop.test`}, 'Ann', ${noon})`;
  return id;
}

/** A webhook for every kind and platform. */
export async function seedEndpoint(sql: Sql, projectId: string, applicationId: string): Promise<string> {
  const id = newId();
  await sql`
    insert into endpoints (project_id, id, application_id, url, event_types, platforms, sealed_secrets, created_at)
    values (${projectId}, ${id}, ${applicationId}, 'https://crm.example/hook', '{}', '{}', '', ${noon})`;
  return id;
}

type ProfileSeed = { phone_number?: string; external_id?: string; tags?: string[] };

export async function seedProfile(sql: Sql, projectId: string, seed: ProfileSeed = {}): Promise<string> {
  const id = newId();
  await sql`
    insert into profiles (project_id, id, phone_number, external_id, tags, created_at, updated_at)
    values (${projectId}, ${id}, ${seed.phone_number ?? null}, ${seed.external_id ?? null}, ${seed.tags ?? []},
      ${noon}, ${noon})`;
  return id;
}

type ChatSeed = {
  channelId: string;
  profileId?: string;
  platform?: Platform;
  external_id?: string;
  username?: string;
  last_active_at?: Date;
};

/** Also makes the chat's profile if none is given. */
export async function seedChat(sql: Sql, projectId: string, seed: ChatSeed): Promise<string> {
  const id = newId();
  const profileId = seed.profileId ?? (await seedProfile(sql, projectId));
  await sql`
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, username, created_at,
      last_active_at)
    values (${projectId}, ${id}, ${seed.channelId}, ${profileId}, ${seed.platform ?? 'API_Messenger'},
      ${seed.external_id ?? id}, ${seed.username ?? null}, ${noon}, ${seed.last_active_at ?? noon})`;
  return id;
}

type MessageSeed = {
  chatId: string;
  channelId: string;
  state?: string;
  provider_id?: string;
  lease?: string;
};

/** An outgoing text. */
export async function seedMessage(sql: Sql, projectId: string, seed: MessageSeed): Promise<string> {
  const id = newId();
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
      state, provider_id, lease)
    values (${projectId}, ${id}, ${seed.chatId}, ${seed.channelId}, 'out', 'push', 'TEXT', '{"text": "hello"}', ${noon},
      ${seed.state ?? 'SENT'}, ${seed.provider_id ?? null}, ${seed.lease ?? null})`;
  return id;
}

/** The whole outbox, oldest first: `[event type, payload]`. */
export async function announced(
  sql: Sql,
  endpointId: string,
): Promise<[type: string, payload: Record<string, unknown>][]> {
  const rows = await sql<{ event_type: string; body: string }[]>`
    select event_type, body from events where endpoint_id = ${endpointId} order by seq`;
  return rows.map(({ event_type, body }) => [event_type, JSON.parse(body).payload]);
}
