import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { dueChannels } from '../../src/messaging/sending/store.ts';
import type { Pool } from '../../src/platform/database/database.ts';
import { uuidv7 } from '../../src/platform/id.ts';
import { signIn } from '../../test/person.ts';
import { postgresBinaries, startPostgres } from '../../test/postgres.ts';
import { setChannel } from '../fill.ts';
import { openStorage, type Program, type Storage, startProgram } from '../processes.ts';
import { setScene } from '../scene.ts';
import { clientId, fill } from './fill.ts';
import { type Cost, costOf, costOnce } from './measure.ts';
import { type Page, pagesOf } from './pages.ts';
import { planTo } from './plan.ts';

/**
 * `node bench/years/main.ts [--messages=10000000] [--clients=1000000] [--months=6]`: fills a PostgreSQL server as years of
 * work do, and prints what its pages and its engines read. Ten million messages take 8 GB of disk.
 */

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000000' },
    clients: { type: 'string', default: '1000000' },
    months: { type: 'string', default: '6' },
  },
});
const years = {
  messages: Number(values.messages),
  clients: Number(values.clients),
  months: Number(values.months),
};
const write = (line: string) => process.stdout.write(`${line}\n`);
const told = ({ name, ms, blocks, rows, most }: Cost) =>
  write(`| ${name} | ${rows} | ${blocks} | ${ms.toFixed(0)} ms | ${blocks > 1_000 ? most : ''} |`);

const binaries = postgresBinaries();
if (!binaries) throw new Error('PostgreSQL binaries were not found: set PG_BIN to their directory');
const server = await startPostgres(binaries);
const storage: Storage = {
  name: 'server',
  environment: { DATABASE_URL: server.url, PATCHBAY_SECRET_KEY: randomBytes(32).toString('base64') },
};
await countStatements();
const api = await startProgram(storage, 'api');
const scene = await setScene(api, 'http://127.0.0.1:9/');
const database = await openStorage(storage);
const sql = database.longSql;
await sql`create extension pg_stat_statements`;
await setChannel(sql, scene, 'paused');
const begin = await fill(sql, scene, years, write);

write('| asked | rows | blocks read | time | the most in one statement |');
for (const page of pagesOf(scene.key, (await admin()).headers, await idsOf(sql))) {
  told(await costOf(sql, page.name, () => rowsOf(api, page)));
}
await api.stop();
const worker = await startProgram(storage);
told(await costOnce(sql, 'a mailing to all is planned', () => planTo(sql, worker, scene)));
const due = async () => (await dueChannels(database.sql, new Date())).length;
told(await costOf(sql, 'a look for due messages beside it', due));
await worker.stop();
await database.close();
await server.remove();

async function countStatements(): Promise<void> {
  const administrator = await openStorage(storage);
  await administrator.sql.unsafe(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await administrator.close();
  await server.stop();
  await server.start();
}

function admin() {
  const context = { sql: database.sql, clock: { now: () => new Date() }, newId: () => uuidv7(new Date()) };
  return signIn(context, { projectId: scene.project });
}

async function idsOf(pool: Pool) {
  const [ids] = await pool<[{ busy: string; chat: string; mailing: string; since: string }]>`
    select ${clientId(pool, begin, pool`0::bigint`)} as busy,
      ${clientId(pool, begin, pool`${Math.round(years.clients / 2)}::bigint`)} as chat,
      (select id from mailings order by id desc limit 1 offset 1) as mailing,
      to_char(now() - interval '1 day', 'YYYY-MM-DD"T00:00:00Z"') as since`;
  return { ...ids, phone: `+79${String(Math.round(years.clients / 2)).padStart(9, '0')}` };
}

type Shown = { results?: unknown[] };

/** Some pages are read with a timeout, so a refusal is a finding too. */
async function rowsOf({ url }: Program, { path, headers }: Page): Promise<number> {
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  if (!response.ok) return -response.status;
  const shown: Shown = JSON.parse(text);
  return shown.results?.length ?? 0;
}
