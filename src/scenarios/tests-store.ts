import type { Sql } from '../platform/database/database.ts';
import type { JsonValue } from '../platform/http/fields.ts';

export type Script = { [name: string]: JsonValue };
export type TestRow = { id: string; name: string; script: Script };

export function listTests(sql: Sql, projectId: string, scenarioId: number): Promise<TestRow[]> {
  return sql<TestRow[]>`
    select id, name, script from scenario_tests
    where project_id = ${projectId} and scenario_id = ${scenarioId} order by name`;
}

type NewTest = TestRow & { scenarioId: number; createdAt: Date };

/** Adds the test, or replaces the scenario's test of that name, which keeps its id. */
export async function saveTest(
  sql: Sql,
  projectId: string,
  { id, scenarioId, name, script, createdAt }: NewTest,
): Promise<TestRow> {
  const [row] = await sql<[TestRow]>`
    insert into scenario_tests (project_id, id, scenario_id, name, script, created_at)
    values (${projectId}, ${id}, ${scenarioId}, ${name}, ${sql.json(script)}, ${createdAt})
    on conflict (project_id, scenario_id, name) do update set script = excluded.script
    returning id, name, script`;
  return row;
}

/** The characters of all tests of a scenario. */
export async function sizeOfTests(sql: Sql, projectId: string, scenarioId: number): Promise<number> {
  const [row] = await sql<[{ size: number }]>`
    select sum(length(script::text))::integer as size from scenario_tests
    where project_id = ${projectId} and scenario_id = ${scenarioId}`;
  return row.size;
}

/** Whether the test existed. */
export async function deleteTest(
  sql: Sql,
  projectId: string,
  scenarioId: number,
  id: string,
): Promise<boolean> {
  const count = await sql`
    delete from scenario_tests where project_id = ${projectId} and scenario_id = ${scenarioId} and id = ${id}`.count();
  return count > 0;
}
