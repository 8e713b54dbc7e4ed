import type { Sql } from '../src/platform/database/database.ts';
import { openStorage, type Storage, startProgram } from './processes.ts';

/** `most`: the limit of the 99th percentile, in ms. */
export type PageTimes = { name: string; p50: number; p99: number; most: number };

type List = { path: string; fill(sql: Sql, project: string, count: number): Promise<unknown> };

const asked = 300;

/** An id for the n-th of many rows, ordered by n. */
const nthId = (sql: Sql) => sql`(
  lpad(to_hex(1795176000000 + n / 100), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15)
)::uuid`;

const lists: List[] = [
  {
    path: 'profiles/',
    fill: (sql, project, count) => sql`
      insert into profiles (project_id, id, external_id, name, created_at, updated_at)
      select ${project}, ${nthId(sql)}, n::text, 'Ann', now(), now() from generate_series(1, ${count}::int) as n`,
  },
  {
    path: 'profiles/audit/',
    fill: (sql, project, count) => sql`
      insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
      select ${project}, ${nthId(sql)}, ${nthId(sql)}, 'created', '{}', 'bot_key', 'Main', now()
      from generate_series(1, ${count}::int) as n`,
  },
  {
    path: 'push-messages/',
    fill: (sql, project, count) => sql`
      with queued as (
        insert into messages (project_id, id, direction, source, content_type, content, created_at, state, state_detail)
        select ${project}, ${nthId(sql)}, 'out', 'push', 'TEXT', '{"text": "Hi"}', now(), 'UNDELIVERED', 'Chat not found.'
        from generate_series(1, ${count}::int) as n
      )
      select add_to_row_count(${project}, 'messages', 'push', ${count})`,
  },
  {
    path: 'mailings/',
    fill: (sql, project, count) => sql`
      insert into mailings (
        project_id, id, name, content_type, text, links, node_get_params, template_variables, has_identifiers, origin,
        created_at, state
      )
      select ${project}, ${nthId(sql)}, 'News', 'TEXT', 'Hi', '{}', '[]', '{}', false, 'system', now(), 'completed'
      from generate_series(1, ${count}::int) as n`,
  },
  {
    path: 'promocode-groups/',
    fill: (sql, project, count) => sql`
      insert into promocode_groups (project_id, id, name, created_at)
      select ${project}, ${nthId(sql)}, 'Group', now() from generate_series(1, ${count}::int) as n`,
  },
  {
    path: 'promocodes/',
    fill: (sql, project, count) => sql`
      insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
      select ${project}, ${nthId(sql)}, (select id from promocode_groups where project_id = ${project} limit 1), n::text,
        'AVAILABLE', now(), now()
      from generate_series(1, ${count}::int) as n`,
  },
];

/** The duration of a page of 100 out of `count` items, one request at a time, for every list. */
export async function* pages(storage: Storage, count: number): AsyncGenerator<PageTimes> {
  const program = await startProgram(storage, 'api');
  const project = await program.command<{ uuid: string; bot_key: string }>('project', 'create', 'Bench');
  const database = await openStorage(storage);
  const sql = database.longSql;
  for (const { fill } of lists) await fill(sql, project.uuid, count);
  await sql`vacuum analyze`;
  await database.close();

  const ask = async (path: string, offset: number): Promise<number> => {
    const begun = performance.now();
    const response = await fetch(`${program.url}/api/partners/${path}?offset=${offset}`, {
      headers: { 'bot-key': project.bot_key },
    });
    const page: { count: number; results: unknown[] } = JSON.parse(await response.text());
    if (page.count !== count || page.results.length !== 100)
      throw new Error(`${path} at ${offset}: wrong page`);
    return performance.now() - begun;
  };
  for (const { path } of lists) {
    const near = Array.from({ length: asked }, (_, n) => Math.floor((10_000 * n) / asked));
    const last = Array.from({ length: 20 }, () => count - 100);
    yield { name: `${path} below 10,000`, ...(await timed(path, near, ask)), most: 50 };
    yield { name: `${path} at the end`, ...(await timed(path, last, ask)), most: 1_000 };
  }
  await program.stop();
}

async function timed(
  path: string,
  offsets: number[],
  ask: (path: string, offset: number) => Promise<number>,
) {
  const times: number[] = [];
  for (const offset of offsets) times.push(await ask(path, offset));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
