import type { ProjectEventType } from '../events/types.ts';
import type { Sql } from '../storage/database.ts';

export type NewBotKey = { id: string; name: string; keyHash: Buffer };

export async function insertProject(
  sql: Sql,
  project: { id: string; name: string; createdAt: Date },
  key: NewBotKey,
): Promise<void> {
  await sql`
    with project as (
      insert into projects (id, name, created_at) values (${project.id}, ${project.name}, ${project.createdAt})
      returning id
    )
    insert into bot_keys (project_id, id, name, key_hash, created_at)
    select id, ${key.id}, ${key.name}, ${key.keyHash}, ${project.createdAt} from project`;
}

export async function findProject(sql: Sql, id: string): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from projects where id = ${id}`;
  return row ?? null;
}

/** How a project works, as far as it is not the same for all. */
export type ProjectSettings = {
  /** Whether links in mailings are replaced by the project's own. */
  tracks_links: boolean;
  /** Whether a client's message opens a session for operators. Source: open points, section 6. */
  open_session_on_message: boolean;
};

/** Changes the settings that are given, and answers with all of them. */
export async function setProject(
  sql: Sql,
  projectId: string,
  { tracks_links, open_session_on_message }: { [Name in keyof ProjectSettings]?: boolean | undefined },
): Promise<ProjectSettings> {
  const [row] = await sql<[ProjectSettings]>`
    update projects set tracks_links = coalesce(${tracks_links ?? null}, tracks_links),
      open_session_on_message = coalesce(${open_session_on_message ?? null}, open_session_on_message)
    where id = ${projectId}
    returning tracks_links, open_session_on_message`;
  return row;
}

export async function insertBotKey(
  sql: Sql,
  projectId: string,
  key: NewBotKey,
  createdAt: Date,
): Promise<void> {
  await sql`
    insert into bot_keys (project_id, id, name, key_hash, created_at)
    values (${projectId}, ${key.id}, ${key.name}, ${key.keyHash}, ${createdAt})`;
}

/** False when the project has no such key, or it was revoked. */
export async function replaceBotKeyHash(
  sql: Sql,
  projectId: string,
  id: string,
  keyHash: Buffer,
): Promise<boolean> {
  const rows = await sql`
    update bot_keys set key_hash = ${keyHash}
    where project_id = ${projectId} and id = ${id} and revoked_at is null
    returning 1`;
  return rows.length === 1;
}

/** False when the project has no such key, or it was revoked before. */
export async function setBotKeyRevoked(sql: Sql, projectId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update bot_keys set revoked_at = ${now}
    where project_id = ${projectId} and id = ${id} and revoked_at is null
    returning 1`;
  return rows.length === 1;
}

export type NewApplication = {
  id: string;
  name: string;
  secretHash: Buffer;
  redirectUris: string[];
  createdAt: Date;
};

export async function insertApplication(sql: Sql, application: NewApplication): Promise<void> {
  await sql`
    insert into applications (id, name, secret_hash, redirect_uris, created_at)
    values (${application.id}, ${application.name}, ${application.secretHash}, ${application.redirectUris},
      ${application.createdAt})`;
}

export async function findApplication(sql: Sql, id: string): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from applications where id = ${id}`;
  return row ?? null;
}

export async function insertTag(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`insert into tags (project_id, name) values (${projectId}, ${name}) on conflict do nothing`;
}

export async function insertAttribute(sql: Sql, projectId: string, name: string): Promise<void> {
  await sql`insert into attributes (project_id, name) values (${projectId}, ${name}) on conflict do nothing`;
}

export type NewWebhook = {
  projectId: string;
  id: string;
  url: string;
  eventTypes: ProjectEventType[];
  sealedSecrets: Buffer;
  createdAt: Date;
};

/** Replaces the project's own webhook, which keeps its id and its secrets; answers with these. */
export async function saveWebhook(
  sql: Sql,
  webhook: NewWebhook,
): Promise<{ id: string; sealed_secrets: Buffer }> {
  const [row] = await sql<[{ id: string; sealed_secrets: Buffer }]>`
    insert into endpoints (project_id, id, url, event_types, platforms, sealed_secrets, created_at)
    values (${webhook.projectId}, ${webhook.id}, ${webhook.url}, ${webhook.eventTypes}, '{}', ${webhook.sealedSecrets},
      ${webhook.createdAt})
    on conflict (project_id, coalesce(application_id, '00000000-0000-0000-0000-000000000000')) do update set
      url = excluded.url, event_types = excluded.event_types,
      failing_since = null, disabled_at = null, disabled_reason = null
    returning id, sealed_secrets`;
  return row;
}
