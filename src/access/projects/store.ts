import type { Sql } from '../../platform/database/database.ts';

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

/** All projects, the oldest first. */
export function listProjects(sql: Sql): Promise<{ id: string; name: string; created_at: Date }[]> {
  return sql`select id, name, created_at from projects order by created_at, id`;
}

/** The settings of one project. */
export type ProjectSettings = {
  name: string;
  /** Whether links in mailings are replaced by the project's own. */
  tracks_links: boolean;
  /** Whether a client's message opens a session for operators. Source: docs/contract.md, section 6. */
  open_session_on_message: boolean;
  /** The country whose national phone numbers files and the console accept. Null for none. */
  default_country: string | null;
  /** The hours in which no mailing reaches a client, `HH:MM` each. Both are null without quiet hours. */
  quiet_from: string | null;
  quiet_until: string | null;
  /** The time zone of clients whose own is unknown. */
  timezone: string;
  /** A client gets at most so many mailings in so many days. Both are null without a cap. */
  cap_messages: number | null;
  cap_days: number | null;
  /** A client whose whole message is one of these leaves all mailings, or comes back. As `asKeyword` makes them. */
  leave_words: string[];
  return_words: string[];
  /** What they are answered. Null for our own words, and empty for no answer. */
  leave_answer: string | null;
  return_answer: string | null;
  /** A mailing to more recipients than this is tested before its start. Null without this rule. */
  test_above: number | null;
  /** Whether a mailing that a person makes waits for the approval of another person. */
  needs_approval: boolean;
  /** For how many days after a mailing's message a conversion counts for that mailing. */
  conversion_days: number;
};

const settings = (sql: Sql) => sql`
  name, tracks_links, open_session_on_message, default_country, quiet_from, quiet_until, timezone,
  cap_messages, cap_days, leave_words, return_words, leave_answer, return_answer, test_above, needs_approval, conversion_days`;

/** Changes the given settings, and returns all of them. */
export async function setProject(
  sql: Sql,
  projectId: string,
  {
    name,
    tracks_links,
    open_session_on_message,
    default_country,
    quiet_from,
    quiet_until,
    timezone,
    cap_messages,
    cap_days,
    leave_words,
    return_words,
    leave_answer,
    return_answer,
    test_above,
    needs_approval,
    conversion_days,
  }: { [Name in keyof ProjectSettings]?: ProjectSettings[Name] | undefined },
): Promise<ProjectSettings> {
  const [row] = await sql<[ProjectSettings]>`
    update projects set name = coalesce(${name ?? null}, name), tracks_links = coalesce(${tracks_links ?? null}, tracks_links),
      open_session_on_message = coalesce(${open_session_on_message ?? null}, open_session_on_message),
      default_country = case when ${default_country === undefined} then default_country else ${default_country ?? null} end,
      quiet_from = case when ${quiet_from === undefined} then quiet_from else ${quiet_from ?? null} end,
      quiet_until = case when ${quiet_until === undefined} then quiet_until else ${quiet_until ?? null} end,
      timezone = coalesce(${timezone ?? null}, timezone),
      cap_messages = case when ${cap_messages === undefined} then cap_messages else ${cap_messages ?? null} end,
      cap_days = case when ${cap_days === undefined} then cap_days else ${cap_days ?? null} end,
      leave_words = coalesce(${leave_words ?? null}, leave_words), return_words = coalesce(${return_words ?? null}, return_words),
      leave_answer = case when ${leave_answer === undefined} then leave_answer else ${leave_answer ?? null} end,
      return_answer = case when ${return_answer === undefined} then return_answer else ${return_answer ?? null} end,
      test_above = case when ${test_above === undefined} then test_above else ${test_above ?? null} end,
      needs_approval = coalesce(${needs_approval ?? null}, needs_approval),
      conversion_days = coalesce(${conversion_days ?? null}, conversion_days)
    where id = ${projectId}
    returning ${settings(sql)}`;
  return row;
}

export async function readProject(sql: Sql, projectId: string): Promise<ProjectSettings> {
  const [row] = await sql<[ProjectSettings]>`
    select ${settings(sql)} from projects where id = ${projectId}`;
  return row;
}

export const findDefaultCountry = async (sql: Sql, projectId: string): Promise<string | null> =>
  (await readProject(sql, projectId)).default_country;

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

export type BotKeyRow = { id: string; name: string; created_at: Date };

/** The keys that are not revoked, newest first. */
export function listBotKeys(sql: Sql, projectId: string): Promise<BotKeyRow[]> {
  return sql<BotKeyRow[]>`
    select id, name, created_at from bot_keys
    where project_id = ${projectId} and revoked_at is null order by id desc`;
}

/** Undefined when the project has no such key, or when it is revoked. */
export async function findBotKey(sql: Sql, projectId: string, id: string): Promise<BotKeyRow | undefined> {
  const [row] = await sql<BotKeyRow[]>`
    select id, name, created_at from bot_keys
    where project_id = ${projectId} and id = ${id} and revoked_at is null`;
  return row;
}

/** Undefined as above. */
export async function setBotKeyName(
  sql: Sql,
  projectId: string,
  id: string,
  name: string,
): Promise<BotKeyRow | undefined> {
  const [row] = await sql<BotKeyRow[]>`
    update bot_keys set name = ${name}
    where project_id = ${projectId} and id = ${id} and revoked_at is null
    returning id, name, created_at`;
  return row;
}

/** False when the project has no such key, or when it is revoked. */
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

/** False when the project has no such key, or when it was already revoked. */
export async function setBotKeyRevoked(sql: Sql, projectId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update bot_keys set revoked_at = ${now}
    where project_id = ${projectId} and id = ${id} and revoked_at is null
    returning 1`;
  return rows.length === 1;
}
