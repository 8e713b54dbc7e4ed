import type { Fragment, Pool, Sql } from '../../src/platform/database/database.ts';

type Column = { name: string; type: string };
type Table = { name: string; columns: Column[]; keys: string[][] };

/** What a project gathers over the years. Of other things it has as many as people make by hand. */
const gathered = [
  ...['profiles', 'profile_tags', 'profile_audit', 'chats', 'external_ids', 'lasting_ids', 'notes'],
  ...[
    'messages',
    'client_files',
    'attachments',
    'sessions',
    'session_steps',
    'events',
    'event_queues',
    'attempts',
  ],
  ...[
    'promocodes',
    'suppressions',
    'conversions',
    'scenario_runs',
    'scenario_event_starts',
    'idempotency_keys',
  ],
  ...['mailings', 'mailing_identifiers', 'mailing_problems', 'mailing_removed', 'mailing_platforms'],
  ...['audience_members', 'chat_news', 'early_receipts', 'oauth_codes', 'iframe_links'],
];

/** What one client gathers. */
const history = ['messages', 'events', 'attempts', 'notes', 'profile_audit', 'conversions'];

/** In a copy they lead to another client. Other columns lead where they did: to the channel, to the mailing. */
const ofClient = [
  'id',
  'profile_id',
  'chat_id',
  'message_id',
  'event_id',
  'session_id',
  'run_id',
  'attachment_id',
];

/** The rows of a table that are multiplied. */
const sources = 4;

/** Multiplies what a project has gathered: with other clients, and with what each client has. */
export async function multiply(sql: Pool, projectId: string, times: number): Promise<void> {
  const tables = await ownTables(sql);
  await sql.begin(async (inside) => {
    // Copies need no triggers, and may refer to rows that do not exist.
    await inside`set local session_replication_role = replica`;
    await inside`create temporary table sources (of text, original jsonb) on commit drop`;
    for (const { name } of tables) {
      await inside`
        insert into sources
        select ${name}, to_jsonb(whole) from ${inside(name)} whole where project_id = ${projectId} limit ${sources}`;
    }
    for (const table of tables.filter(({ name }) => gathered.includes(name))) {
      await copy(inside, table, times, ofClient);
    }
    for (const table of tables.filter(({ name }) => history.includes(name)))
      await copy(inside, table, times, ['id']);
  });
}

/** The tables with the id of a project, except their generated columns. */
const ownTables = (sql: Sql): Promise<Table[]> => sql<Table[]>`
  select relname as name,
    (
      select jsonb_agg(jsonb_build_object('name', attname, 'type', typname) order by attnum)
      from pg_attribute join pg_type on pg_type.oid = atttypid
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a'
    ) as columns,
    (
      select coalesce(jsonb_agg(of order by is_primary desc), '[]')
      from (
        select indisprimary as is_primary, (
          select jsonb_agg(attname) from pg_attribute where attrelid = class.oid and attnum = any (indkey)
        ) as of
        from pg_index where indrelid = class.oid and indisunique
      ) keys
      where of is not null
    ) as keys
  from pg_class class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and exists (
      select from pg_attribute where attrelid = class.oid and attname = 'project_id' and not attisdropped
    )
  order by relname`;

async function copy(sql: Sql, table: Table, times: number, replaced: readonly string[]): Promise<void> {
  const { columns } = table;
  const changed = columns.filter(({ name, type }) => type === 'uuid' && replaced.includes(name));
  // A copy needs a value of its own in each unique index.
  for (const key of table.keys) {
    if (key.some((name) => changed.some((other) => other.name === name))) continue;
    const own = ownPart(table, key);
    if (own) changed.push(own);
  }
  if (changed.length === 0) return;
  const values = columns.map((column) => {
    const value = sql`(record).${sql(column.name)}`;
    return changed.includes(column) ? ownValue(sql, column, value) : value;
  });
  await sql`
    insert into ${sql(table.name)} (${listed(
      sql,
      columns.map(({ name }) => sql`${sql(name)}`),
    )})
    select ${listed(sql, values)}
    from (
      select jsonb_populate_record(null::${sql(table.name)}, original) as record, n
      from sources cross join generate_series(1, ${times}::int) as n
      where of = ${table.name}
    ) copied
    on conflict do nothing`;
}

/** The last column of a key that can have many values. */
function ownPart({ columns }: Table, key: string[]): Column | undefined {
  const parts = columns.filter(({ name }) => name !== 'project_id' && key.includes(name));
  for (const type of ['uuid', 'text', 'int8', 'int4', 'bytea', 'timestamptz', 'date']) {
    const part = parts.findLast((column) => column.type === type);
    if (part) return part;
  }
  return undefined;
}

function ownValue(sql: Sql, { type }: Column, value: Fragment): Fragment {
  switch (type) {
    case 'uuid': {
      // Begins with the same time.
      const random = sql`md5(${value}::text || n)`;
      return sql`(
        left(${value}::text, 14) || '7' || substr(${random}, 1, 3) || '-8' || substr(${random}, 4, 3) || '-'
          || substr(${random}, 7, 12)
      )::uuid`;
    }
    case 'text':
      return sql`(${value} || n)`;
    case 'bytea':
      return sql`sha256((encode(${value}, 'hex') || n)::bytea)`;
    case 'timestamptz':
      return sql`(${value} - n * interval '1 ms')`;
    case 'date':
      return sql`(${value} - n)`;
    default:
      return sql`(${value} + n)`;
  }
}

const listed = (sql: Sql, parts: Fragment[]): Fragment => parts.reduce((all, part) => sql`${all}, ${part}`);
