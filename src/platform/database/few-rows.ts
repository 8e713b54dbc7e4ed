import type { Sql } from './database.ts';
import type { Fragment, JSONValue } from './sql.ts';

/**
 * A limit whose number the planner cannot know: it then expects a tenth of the rows. Of an array it expects ten, and
 * thus one row, which it looks up by its key. For ten rows it would rather read all of a table that is still young.
 */
export const fewOf = (sql: Sql, most: number) => sql`limit (select ${most}::integer)`;

/** Rows that are each looked up by a key, which names the project too. */
export const fewRows = (sql: Sql, rows: readonly JSONValue[], name: string, columns: Fragment) => sql`(
  select * from unnest(array(select given from jsonb_to_recordset(${sql.json(rows)}) as given (${columns})))
    as ${sql(name)} (${columns})
  ${fewOf(sql, rows.length)}
) as ${sql(name)}`;

/** The ids of an array, of a table in partitions. Each is looked up by its key, in its own month. */
export const fewIds = (sql: Sql, ids: Fragment, most: number) => sql`(
  select id from unnest(${ids}) as given (id) ${fewOf(sql, most)}
) as few`;
