import assert from 'node:assert/strict';
import type { Fragment, Sql } from '../../src/platform/database/database.ts';

/** A row as text, and as JSON with its column names. `xmin` changes even when the same values are written again. */
export type Row = { table: string; text: string; json: Record<string, unknown> };

/** The condition for a project's rows in tables without its id. A new table needs a line here. */
const ofProject = (sql: Sql, id: string): Record<string, Fragment> => ({
  projects: sql`id = ${id}`,
  access_tokens: sql`family_id in (select id from token_families where project_id = ${id})`,
  refresh_tokens: sql`family_id in (select id from token_families where project_id = ${id})`,
  users: sql`id in (select user_id from operators where project_id = ${id})`,
  sign_in_links: sql`user_id in (select user_id from operators where project_id = ${id})`,
  person_sessions: sql`user_id in (select user_id from operators where project_id = ${id})`,
  // Rows about arbitrary accounts and addresses.
  sign_in_attempts: sql`false`,
  rates: sql`false`,
  // Applications of the command line have no owner, and are available to every project.
  applications: sql`owner_id = ${id} or owner_id is null`,
  migrations: sql`true`,
  // Of the installation, not of a project.
  jobs: sql`false`,
});

/** Every row of a project, table by table, in a stable order. */
export async function rowsOf(sql: Sql, projectId: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { table, scoped } of await tables(sql)) {
    const condition = scoped ? sql`project_id = ${projectId}` : ofProject(sql, projectId)[table];
    assert.ok(condition, `whose are the rows of ${table}? Say it in test/security/rows.ts`);
    const found = await sql<Omit<Row, 'table'>[]>`
      select t::text || ' ' || xmin as text, to_jsonb(t) as json from ${sql(table)} t where ${condition} order by 1`;
    rows.push(...found.map((row) => ({ ...row, table })));
  }
  return rows;
}

export const texts = (rows: Row[]): string[] => rows.map(({ table, text }) => `${table}: ${text}`);

/** Runs the attack, and checks that no row of the projects has changed. */
export async function changesNothing(
  sql: Sql,
  projects: { projectId: string }[],
  attack: () => Promise<void>,
) {
  const all = async (): Promise<string[]> => {
    const rows: Row[] = [];
    for (const { projectId } of projects) rows.push(...(await rowsOf(sql, projectId)));
    return texts(rows);
  };
  const before = await all();
  await attack();
  assert.deepEqual(await all(), before);
}

/** Every table without its partitions, and whether its rows have a project id. */
export function tables(sql: Sql): Promise<{ table: string; scoped: boolean }[]> {
  return sql<{ table: string; scoped: boolean }[]>`
    select class.relname as table, exists (
      select from pg_attribute where attrelid = class.oid and attname = 'project_id' and not attisdropped
    ) as scoped
    from pg_class class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by class.relname`;
}

/** Every text and number in a value, at any depth. */
export function wordsIn(value: unknown): Set<string> {
  const words = new Set<string>();
  const collect = (inside: unknown): void => {
    if (typeof inside === 'string' || typeof inside === 'number') words.add(String(inside));
    else if (typeof inside === 'object' && inside !== null) Object.values(inside).forEach(collect);
  };
  collect(value);
  return words;
}
