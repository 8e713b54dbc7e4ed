import type { Sql } from './pool.ts';
import type { Table } from './tables.ts';

type ForeignKey = { table_name: string; name: string; definition: string };

/** An index has a `parent` on a partition, and a `constraint_definition` if it belongs to a key. */
type Index = {
  table_name: string;
  name: string;
  parent: string | null;
  definition: string;
  constraint_definition: string | null;
};

/** Hears what is made, before it is. */
export type Tell = (work: string) => void;

/**
 * Loads rows without their indexes, foreign keys and triggers. The rows come in any order, and triggers have already
 * had their effect on them. Afterwards the indexes are made again, and the keys are checked for all rows. That is many
 * times as fast as an entry and a look for each row.
 */
export async function withoutChecks(
  sql: Sql,
  tables: readonly Table[],
  load: () => Promise<void>,
  tell: Tell,
): Promise<void> {
  const keys = await foreignKeysOf(sql);
  const indexes = await indexesOf(sql, tables);
  for (const { table_name, name } of keys)
    await sql.unsafe(`alter table ${table_name} drop constraint ${name}`);
  for (const index of indexes) if (index.parent === null) await sql.unsafe(dropOf(index));
  for (const { name } of tables) await sql`alter table ${sql(name)} disable trigger user`;
  await load();
  for (const { name } of tables) await sql`alter table ${sql(name)} enable trigger user`;
  for (const [place, index] of indexes.entries()) {
    tell(`index ${place + 1} of ${indexes.length}: ${index.name}`);
    await makeAgain(sql, index);
  }
  // Otherwise a key might be checked row by row.
  await sql`analyze`;
  for (const [place, { table_name, name, definition }] of keys.entries()) {
    tell(`foreign key ${place + 1} of ${keys.length}: ${name}`);
    await sql.unsafe(`alter table ${table_name} add constraint ${name} ${definition}`);
  }
}

const foreignKeysOf = (sql: Sql) => sql<ForeignKey[]>`
  select conrelid::regclass::text as table_name, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
  order by table_name, name`;

/** The indexes of the tables and of their partitions, an index before its parts. */
const indexesOf = (sql: Sql, tables: readonly Table[]) => sql<Index[]>`
  select indrelid::regclass::text as table_name, indexrelid::regclass::text as name,
    of_index.inhparent::regclass::text as parent, pg_get_indexdef(indexrelid) as definition,
    pg_get_constraintdef(pg_constraint.oid) as constraint_definition
  from pg_index
    left join pg_inherits as of_table on of_table.inhrelid = indrelid
    left join pg_inherits as of_index on of_index.inhrelid = indexrelid
    left join pg_constraint on conindid = indexrelid and conrelid = indrelid and contype in ('p', 'u', 'x')
  where coalesce(of_table.inhparent, indrelid) in (
    select oid from pg_class
    where relname = any(${tables.map(({ name }) => name)}::text[]) and relnamespace = current_schema()::regnamespace
  )
  order by parent nulls first, table_name, name`;

/** The parts of an index go with it. */
const dropOf = ({ table_name, name, constraint_definition }: Index): string =>
  constraint_definition === null ? `drop index ${name}` : `alter table ${table_name} drop constraint ${name}`;

/** An index of a partitioned table is made without parts, which then join it. Each thus keeps its name. */
async function makeAgain(sql: Sql, index: Index): Promise<void> {
  const { table_name, name, parent, definition, constraint_definition } = index;
  await sql.unsafe(
    constraint_definition === null
      ? definition
      : `alter table only ${table_name} add constraint ${name} ${constraint_definition}`,
  );
  if (parent !== null) await sql.unsafe(`alter index ${parent} attach partition ${name}`);
}
