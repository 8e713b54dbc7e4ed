import type { Fragment, Pool, Sql } from '../../src/platform/database/database.ts';
import type { Scene } from '../scene.ts';

/** How much an installation has gathered. Messages are spread over the months up to now. */
export type Years = { clients: number; messages: number; months: number };

const atOnce = 200_000;
const operatorId = '01990000-0000-7000-8000-000000000001';

/** Begins with its time, like every id of the program. The rest follows from a number. */
const idAt = (sql: Sql, ms: Fragment, n: Fragment) => sql`(
  lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5((${n})::text), 1, 3) || '8' || substr(md5((${n})::text), 4, 15)
)::uuid`;

/** The id of the n-th client, and of their only chat. */
export const clientId = (sql: Sql, begin: number, n: Fragment) =>
  idAt(sql, sql`${begin}::bigint + (${n})`, n);

/** Rows of the past without the work of triggers, which the counts of lists then need by hand. */
const past = (sql: Pool, rows: (inside: Sql) => Promise<unknown>): Promise<unknown> =>
  sql.begin(async (inside) => {
    await inside`set local session_replication_role = replica`;
    await rows(inside);
  });

/** Returns when the first client came, in ms. */
export async function fill(sql: Pool, scene: Scene, years: Years, say: (line: string) => void) {
  const now = Date.now();
  const first = new Date(now);
  first.setUTCMonth(first.getUTCMonth() - years.months + 1, 1);
  first.setUTCHours(0, 0, 0, 0);
  const begin = first.getTime();
  await sql`select ensure_partitions(${first}, ${years.months + 2}::int)`;
  await addClients(sql, scene, years.clients, begin);
  say('clients');
  const mailings = await addMailings(sql, scene, years, begin, now);
  for (let from = 0; from < years.messages; from += atOnce) {
    const to = Math.min(from + atOnce, years.messages);
    await past(sql, (inside) => addMessages(inside, scene, { ...years, from, to, begin, now, mailings }));
    if (to % 1_000_000 === 0) say(`${to} messages`);
  }
  await keepCounts(sql, scene, years);
  await sql`vacuum analyze messages`;
  await sql`vacuum analyze chats`;
  await sql`vacuum analyze profiles`;
  return begin;
}

async function addClients(sql: Pool, scene: Scene, clients: number, begin: number): Promise<void> {
  for (let from = 0; from < clients; from += atOnce) {
    const to = Math.min(from + atOnce, clients);
    await past(sql, async (inside) => {
      const numbers = inside`generate_series(${from}::bigint, ${to - 1}::bigint) as n`;
      const id = clientId(inside, begin, inside`n`);
      await inside`
        insert into profiles (project_id, id, external_id, phone_number, email, name, created_at, updated_at)
        select ${scene.project}, ${id}, 'crm-' || n, '+79' || lpad(n::text, 9, '0'), 'client' || n || '@example.com',
          (array['Anna', 'Ivan', 'Olga', 'Peter', 'Maria', 'Oleg', 'Vera', 'Boris', 'Nina', 'Lev'])[1 + n % 10] || ' ' ||
            initcap(substr(translate(md5((n / 100)::text), '0123456789', 'aeiouaeiou'), 1, 7)),
          to_timestamp((${begin}::bigint + n) / 1000.0), to_timestamp((${begin}::bigint + n) / 1000.0)
        from ${numbers}`;
      await inside`
        insert into chats (project_id, id, channel_id, profile_id, platform, external_id, name, created_at,
          last_active_at, heard_id)
        select ${scene.project}, ${id}, ${scene.channel}, ${id}, 'API_Messenger', 'client-' || n, 'Client ' || n,
          to_timestamp((${begin}::bigint + n) / 1000.0),
          to_timestamp((${begin}::bigint + n) / 1000.0) + random() * (now() - to_timestamp((${begin}::bigint + n) / 1000.0)),
          case when n % 20 = 0 then ${id} end
        from ${numbers}`;
    });
  }
}

/** One for each month. */
async function addMailings(sql: Sql, { project }: Scene, years: Years, begin: number, now: number) {
  const rows = await sql<{ id: string }[]>`
    insert into mailings (project_id, id, name, content_type, text, links, node_get_params, template_variables,
      has_identifiers, origin, created_at, started_at, completed_at, state, run)
    select ${project}, ${idAt(sql, sql`${begin}::bigint + n * (${now - begin}::bigint / ${years.months}::int)`, sql`n`)},
      'News', 'TEXT', 'Hi', '{}', '[]', '{}', false, 'system', now(), now(), now(), 'completed', 1
    from generate_series(0, ${years.months - 1}::bigint) as n returning id`;
  return rows.map(({ id }) => id);
}

type Part = Years & { from: number; to: number; begin: number; now: number; mailings: string[] };

/** Four of ten are the clients', three are pushes, two of a mailing, and one of an operator. One chat has a hundredth. */
const addMessages = (sql: Sql, scene: Scene, part: Part): Promise<unknown> => sql`
  insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, author_id,
    author_name, created_at, state, lane, due_at, sent_at, delivered_at, external_id, provider_id, mailing_id, mailing_run)
  select ${scene.project}, ${idAt(sql, sql`ms`, sql`n`)},
    ${clientId(sql, part.begin, sql`client`)}, ${scene.channel}, case when kind < 4 then 'in' else 'out' end, source, 'TEXT',
    jsonb_build_object('text', case when kind < 4 then 'When does my order ' || n || ' come?'
      else 'Your order ' || n || ' has been shipped and comes on Monday.' end),
    case source when 'operator' then ${operatorId}::uuid end, case source when 'operator' then 'Olga' end, at,
    case when kind < 4 then null when n % 100 = 55 then 'UNDELIVERED' else 'DELIVERED' end, 1,
    case when kind >= 4 then at end, case when kind >= 4 then at end, case when kind >= 4 then at end,
    case when kind < 4 then 'in-' || n end, case when kind >= 4 then 'out-' || n end,
    case source when 'mailing' then mailing end, case source when 'mailing' then 1 end
  from (
    select *, case when kind < 4 then 'client' when kind < 7 then 'push' when kind < 9 then 'mailing' else 'operator' end
      as source, to_timestamp(ms / 1000.0) as at
    from (
      select n, n / 10 % 10 as kind,
        ${part.begin}::bigint + (n * (${part.now - part.begin - 3_600_000}::float8 / ${part.messages}::bigint))::bigint as ms,
        case when n % 100 = 33 then 0 else hashint8(n)::bigint + 2147483648 end % ${part.clients}::bigint as client,
        (${part.mailings}::uuid[])[1 + n * ${part.months}::int / ${part.messages}::bigint] as mailing
      from generate_series(${part.from}::bigint, ${part.to - 1}::bigint) as n
    ) as placed
  ) as told`;

async function keepCounts(sql: Sql, { project }: Scene, { clients, messages }: Years): Promise<void> {
  await sql`select add_to_row_count(${project}, 'profiles', '', ${clients})`;
  await sql`select add_to_row_count(${project}, 'messages', 'push', ${Math.round(messages * 0.3)})`;
}
