import type { Sql } from './database.ts';
import type { Fragment, JSONValue } from './sql.ts';

/**
 * Rows that are each looked up by a key. They go through an array. For JSON the planner expects a hundred rows, and
 * would then scan a table of some thousands.
 */
export const fewRows = (sql: Sql, rows: JSONValue, name: string, columns: Fragment) => sql`
  unnest(array(select given from jsonb_to_recordset(${sql.json(rows)}) as given (${columns}))) as ${sql(name)} (${columns})`;
