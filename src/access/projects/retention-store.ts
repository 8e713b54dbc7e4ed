import type { Sql } from '../../platform/database/database.ts';
import { keepForEver, type Retention } from './retention.ts';

const columns = (sql: Sql) => sql`messages, files, events, attempts, audit, legal_hold, archives`;

export async function readRetention(sql: Sql, projectId: string): Promise<Retention> {
  const [row] = await sql<Retention[]>`
    select ${columns(sql)} from retention where project_id = ${projectId}`;
  return row ?? keepForEver;
}

/** The projects that do not keep everything for ever. */
export function listRetentions(sql: Sql): Promise<(Retention & { project_id: string })[]> {
  return sql<(Retention & { project_id: string })[]>`
    select project_id, ${columns(sql)} from retention order by project_id`;
}

export type RetentionChange = {
  projectId: string;
  id: string;
  author: { id: string; name: string | null };
  becomes: Retention;
  now: Date;
};

/** Sets all of it, and records who did so. A save without a difference leaves no record. */
export async function setRetention(
  sql: Sql,
  { projectId, id, author, becomes, now }: RetentionChange,
): Promise<void> {
  const { messages, files, events, attempts, audit, legal_hold, archives } = becomes;
  await sql`
    with given (messages, files, events, attempts, audit, legal_hold, archives) as (
      values (${messages}::smallint, ${files}::smallint, ${events}::smallint, ${attempts}::smallint, ${audit}::smallint,
        ${legal_hold}::boolean, ${archives}::boolean)
    ),
    was as (select ${columns(sql)} from retention where project_id = ${projectId}),
    changed as (
      insert into retention (project_id, messages, files, events, attempts, audit, legal_hold, archives)
      select ${projectId}::uuid, given.* from given
      on conflict (project_id) do update set
        messages = excluded.messages, files = excluded.files, events = excluded.events, attempts = excluded.attempts,
        audit = excluded.audit, legal_hold = excluded.legal_hold, archives = excluded.archives
    )
    insert into retention_changes (project_id, id, author_id, author_name, was, becomes, created_at)
    select ${projectId}::uuid, ${id}, ${author.id}, ${author.name}, (select to_jsonb(was) from was), to_jsonb(given), ${now}
    from given
    where coalesce((select to_jsonb(was) from was), ${sql.json(keepForEver)}::jsonb) <> to_jsonb(given)`;
}

export type RetentionRecord = { author_name: string | null; created_at: Date };

/** Who changed it last. Null if nobody did. */
export async function findLastChange(sql: Sql, projectId: string): Promise<RetentionRecord | null> {
  const [row] = await sql<RetentionRecord[]>`
    select author_name, created_at from retention_changes where project_id = ${projectId} order by id desc limit 1`;
  return row ?? null;
}
