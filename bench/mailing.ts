import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { socketPath } from '../src/platform/database/data-folder.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { middle } from './accept.ts';
import { bareLoop } from './bare-loop.ts';
import { addChats, setChannel } from './fill.ts';
import {
  memoryOf,
  openStorage,
  type Program,
  type Receiver,
  type Storage,
  startProgram,
  startReceiver,
} from './processes.ts';
import { type Scene, setScene } from './scene.ts';

/** Another driver, because ours has no COPY. */
async function copyIn({ environment }: Storage, table: string, lines: string): Promise<void> {
  const other = environment.DATABASE_URL
    ? postgres(environment.DATABASE_URL, { max: 1 })
    : postgres({
        path: socketPath(environment.PATCHBAY_DATA_DIR ?? ''),
        database: 'postgres',
        username: 'postgres',
        max: 1,
      });
  const copy = await other`copy ${other(table)} from stdin`.writable();
  await pipeline(Readable.from([lines]), copy);
  await other.end();
}

const mailings = '/api/partners/mailings/';
const lookEveryMs = 20;

/** The setup for the figures of mailings, with `count` chats. Their channel is paused, so nothing is sent. */
export async function setMailingScene(storage: Storage, receiver: Receiver, count: number) {
  const program = await startProgram(storage);
  const scene = await setScene(program, receiver.url);
  const database = await openStorage(storage);
  const sql = database.longSql;
  const chats = await addChats(sql, scene, count);
  await setChannel(sql, scene, 'paused');
  await sql`vacuum analyze profiles, chats`;
  return {
    program,
    scene,
    sql,
    chats,
    async end() {
      await database.close();
      await program.stop();
    },
  };
}

export async function create(program: Program, scene: Scene, audience: object): Promise<string> {
  const response = await fetch(program.url + mailings, {
    method: 'POST',
    headers: { ...scene.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', text: 'Your order has been shipped.', ...audience }),
  });
  const answer: { uuid: string } = JSON.parse(await response.text());
  if (response.status !== 201) throw new Error(`the mailing was refused: ${JSON.stringify(answer)}`);
  return answer.uuid;
}

type Stage = { stage: string | null; state: string; state_detail: string; planned: number };

async function until(sql: Sql, mailing: string, isReached: (stage: Stage) => boolean): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const [row] = await sql<Stage[]>`
      select stage, state, state_detail, (
        select coalesce(sum(planned), 0)::int from mailing_counts where mailing_id = mailings.id
      ) as planned from mailings where id = ${mailing}`;
    if (row?.state === 'error') throw new Error(row.state_detail);
    if (row && isReached(row)) return performance.now() - begun;
    await pause(lookEveryMs);
  }
}

/**
 * Seconds to plan a mailing for all `count` chats, and seconds of one bare INSERT … SELECT of the same rows into the
 * same table.
 */
export async function plan(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number }> {
  const { program, scene, sql, end } = await setMailingScene(storage, receiver, count);
  const begun = performance.now();
  await sql`
    insert into messages (
      project_id, id, chat_id, channel_id, direction, source, content_type, content, is_force, created_at,
      state, state_detail, lane, due_at, mailing_id, mailing_run
    )
    select project_id, mailing_message_id(now(), project_id, 1, profile_id), id, channel_id, 'out', 'mailing', 'TEXT', '{}',
      false, now(), 'PENDING', '', 1, now(), project_id, 1
    from chats where project_id = ${scene.project}`;
  const bare = (performance.now() - begun) / 1000;
  await sql`truncate messages`;
  await sql`checkpoint`;

  const mailing = await create(program, scene, { filter_chats: { all: [] } });
  const ours = (await until(sql, mailing, ({ stage }) => stage === 'sending')) / 1000;
  const planned = await until(sql, mailing, (row) => row.planned === count);
  if (planned > 1000) throw new Error('the counts came late');
  await end();
  return { ours, bare };
}

/**
 * Seconds to read a CSV file of `count` ids from its server until every line is stored, and seconds of a COPY of the
 * same bytes into a table with one column. Also the growth of the program's memory meanwhile, in MB, and the latency
 * of other requests, in ms.
 */
export async function readCsv(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number; grewBy: number; p99: number }> {
  const { program, scene, sql, end } = await setMailingScene(storage, receiver, 1);
  const ids = Array.from({ length: count }, (_, n) => `${10_000_000 + n}\n`).join('');
  const file = await serve(`external_id\n${ids}`);

  await sql`create table bench_ids (id text)`;
  const begun = performance.now();
  await copyIn(storage, 'bench_ids', ids);
  const bare = (performance.now() - begun) / 1000;
  await sql`drop table bench_ids`;
  await sql`checkpoint`;

  const atRest = memoryOf(program.pid);
  let most = atRest;
  const answers: number[] = [];
  let watching = true;
  const watch = (async () => {
    while (watching) {
      const asked = performance.now();
      await fetch(`${program.url}/healthz`).then((response) => response.text());
      answers.push(performance.now() - asked);
      most = Math.max(most, memoryOf(program.pid));
      await pause(5);
    }
  })();
  const audience = { customer_filter_field: 'EXTERNAL_ID', customer_filter_file: file.url };
  const mailing = await create(program, scene, audience);
  const ours = (await until(sql, mailing, ({ stage }) => stage === 'planning' || stage === 'sending')) / 1000;
  watching = false;
  await watch;
  file.close();
  await end();
  answers.sort((a, b) => a - b);
  return { ours, bare, grewBy: most - atRest, p99: answers[Math.ceil(answers.length * 0.99) - 1] ?? 0 };
}

async function serve(text: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/ids.csv`, close: () => server.close() };
}

/** The report of a receiver once it has got so many calls. */
export async function calledTimes(receiver: Receiver, calls: number): ReturnType<Receiver['report']> {
  for (;;) {
    const report = await receiver.report();
    if (report.calls >= calls) return report;
    await pause(lookEveryMs);
  }
}

const concurrency = 256;

/**
 * Messages per second of a mailing to `count` chats with both kinds of the project's webhook, from the first call to
 * the provider to the last, and calls per second of the bare loop.
 */
export async function drain(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number; withEvents: number }> {
  const { program, scene, sql, end } = await setMailingScene(storage, receiver, count);
  const listener = await startReceiver();
  await program.command(
    ...['project', 'webhook', '--project', scene.project, '--url', listener.url],
    ...['--kinds', 'MAILING_STATE,MAILING_REACTION'],
  );
  const sample = {
    url: receiver.url,
    calls: count,
    concurrency,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      payload: { message: { text: 'Your order has been shipped.' } },
      scene: scene.project,
    }),
  };
  await bareLoop(sample);
  const figures: { ours: number; bare: number; withEvents: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    const bare = await bareLoop(sample);
    await setChannel(sql, scene, 'paused');
    await listener.reset();
    const mailing = await create(program, scene, { filter_chats: { all: [] } });
    await until(sql, mailing, ({ stage }) => stage === 'sending');
    await receiver.reset();
    await setChannel(sql, scene, 'active');
    await until(sql, mailing, ({ state }) => state === 'completed');
    const sent = await receiver.report();
    const heard = await calledTimes(listener, count);
    figures.push({
      bare,
      ours: count / ((sent.last - sent.first) / 1000),
      withEvents: count / ((heard.last - sent.first) / 1000),
    });
  }
  listener.stop();
  await end();
  return middle(figures, ({ ours, bare }) => ours / bare);
}
