import { pino } from 'pino';
import { uuidv7 } from '../src/lib/id.ts';
import { openDatabase, type Sql } from '../src/storage/database.ts';
import { load } from './load.ts';
import { type Program, type Storage, startProgram } from './processes.ts';

const connections = 64;
const seconds = 1;
const atOnce = 10_000;
const groups = '/api/partners/promocode-groups/';
const codes = '/api/partners/promocodes/';

type Key = Record<string, string>;

/** Codes generated a second in one group: while the first of `count` codes come into it, and the last. */
export async function generateCodes(
  storage: Storage,
  count: number,
): Promise<{ atFirst: number; atLast: number }> {
  const program = await startProgram(storage, 'api');
  const { key: headers } = await setProject(program);
  const path = `${codes}generate/`;
  const generate = async (group: string): Promise<number> => {
    const body = JSON.stringify({ group });
    const { perSecond, refused } = await load({
      url: program.url,
      path,
      headers,
      body,
      connections,
      seconds,
    });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
    return perSecond;
  };
  for (let n = 0; n < 5; n += 1) await generate(await newGroup(program, headers));

  const group = await newGroup(program, headers);
  const rates: number[] = [];
  for (let made = 0; made < count; made += (rates.at(-1) ?? 0) * seconds) rates.push(await generate(group));
  await program.stop();
  const some = Math.ceil(rates.length / 4);
  return { atFirst: median(rates.slice(0, some)), atLast: median(rates.slice(-some)) };
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;

export type PageTimes = { name: string; p50: number; p99: number };

/** What a page of 100 codes, or of 100 groups, takes in ms with `count` of them behind it, one request at a time. */
export async function promocodePages(storage: Storage, count: number): Promise<PageTimes[]> {
  const program = await startProgram(storage, 'api');
  const { uuid, key } = await setProject(program);
  const { environment } = storage;
  const database = await openDatabase({
    databaseUrl: environment.DATABASE_URL ?? null,
    dataDir: environment.PATCHBAY_DATA_DIR ?? '',
    log: pino({ level: 'silent' }),
  });
  await addGroups(database.longSql, uuid, count);
  await addCodes(database.longSql, uuid, await newGroup(program, key), count);
  await database.longSql`analyze promocode_groups, promocodes`;
  await database.close();

  const offsets = (upTo: number) => Array.from({ length: 300 }, (_, n) => Math.floor((upTo * n) / 300));
  const repeated = (offset: number) => Array.from({ length: 20 }, () => offset);
  const figures: PageTimes[] = [];
  for (const path of [codes, groups]) {
    const ask = (offset: number) => timePage(`${program.url}${path}?offset=${offset}`, key);
    figures.push({ name: `${path} below 10,000`, ...(await summed(offsets(10_000), ask)) });
    figures.push({ name: `${path} in the middle`, ...(await summed(repeated(count / 2), ask)) });
    figures.push({ name: `${path} at the end`, ...(await summed(repeated(count - 100), ask)) });
  }
  await program.stop();
  return figures;
}

async function summed(offsets: number[], ask: (offset: number) => Promise<number>) {
  const times: number[] = [];
  for (const offset of offsets) times.push(await ask(offset));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function timePage(url: string, key: Key): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, { headers: key });
  const { results }: { results: unknown[] } = JSON.parse(await response.text());
  if (results.length !== 100) throw new Error(`${url} answered with ${results.length} items`);
  return performance.now() - begun;
}

async function setProject(program: Program): Promise<{ uuid: string; key: Key }> {
  const project = await program.command<{ uuid: string; bot_key: string }>('project', 'create', 'Bench');
  return { uuid: project.uuid, key: { 'bot-key': project.bot_key } };
}

async function newGroup(program: Program, key: Key): Promise<string> {
  const response = await fetch(program.url + groups, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: '{"name": "Bench"}',
  });
  const { uuid }: { uuid: string } = JSON.parse(await response.text());
  return uuid;
}

async function addGroups(sql: Sql, project: string, count: number): Promise<void> {
  await forIds(count, async (ids) => {
    await sql`
      insert into promocode_groups (project_id, id, name, created_at)
      select ${project}, id, 'Group', now() from unnest(${ids}::uuid[]) as id`;
  });
}

async function addCodes(sql: Sql, project: string, group: string, count: number): Promise<void> {
  await forIds(count, async (ids) => {
    await sql`
      insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
      select ${project}, id, ${group}, id::text, 'AVAILABLE', now(), now() from unnest(${ids}::uuid[]) as id`;
  });
}

async function forIds(count: number, insert: (ids: string[]) => Promise<void>): Promise<void> {
  for (let made = 0; made < count; made += atOnce) {
    await insert(Array.from({ length: Math.min(atOnce, count - made) }, () => uuidv7(new Date())));
  }
}
