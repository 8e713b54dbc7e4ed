import { setTimeout as pause } from 'node:timers/promises';
import { uuidv7 } from '../src/platform/id.ts';
import { signIn } from '../test/person.ts';
import { addChats } from './fill.ts';
import { openStorage, type Program, type Receiver, type Storage, startProgram } from './processes.ts';
import { firstMessage, type Scene, setScene } from './scene.ts';
import { type Ask, bulkWork, type Work } from './work-in-bulk.ts';

/** `answers`: how often each status came. Times in ms, of a neighbour's calls meanwhile. */
export type Beside = { name: string; answers: Record<string, number>; p50: number; most: number };

const clients = 60_000;
const seconds = 6;
/** Each kind of a neighbour's calls is made this often. */
const everyMs = 300;

/** The ordinary calls of one project, beside the bulk work of another one with 60,000 clients. */
export async function* neighbour(storage: Storage, receiver: Receiver): AsyncGenerator<Beside> {
  const program = await startProgram(storage);
  const large = await setScene(program, receiver.url);
  const other = await setScene(program, receiver.url);
  const person = await openDoors(storage, large);
  const asks = {
    asPerson: caller(program, person),
    asProgram: caller(program, large.key),
    loseRecipients: () => loseRecipients(caller(program, person), large, receiver),
  };
  const probe = await startProbe(program, other);
  await pause(2_000);
  yield { name: 'nothing', answers: {}, ...probe.take() };
  for await (const work of bulkWork(asks)) {
    await pause(1_000);
    probe.take();
    const answers = await keepBusy(work);
    yield { name: work.name, answers, ...probe.take() };
  }
  probe.stop();
  await program.stop();
}

/** Many clients with names in the project. Returns the headers of an administrator. */
async function openDoors(storage: Storage, { project: projectId, ...scene }: Scene) {
  const database = await openStorage(storage);
  const { longSql: sql } = database;
  await addChats(sql, { project: projectId, ...scene }, clients);
  await sql`update chats set name = 'Client ' || left(md5(id::text), 12) where project_id = ${projectId}`;
  await sql`select add_to_row_count(${projectId}, 'profiles', '', ${clients})`;
  await sql`analyze`;
  const context = { sql: database.sql, clock: { now: () => new Date() }, newId: () => uuidv7(new Date()) };
  const { headers } = await signIn(context, { projectId });
  await database.close();
  return headers;
}

/** From now on no recipient of the project exists. */
async function loseRecipients(ask: Ask, { channel, secret }: Scene, receiver: Receiver): Promise<void> {
  const settings = { webhook_url: `${receiver.url}gone`, secret };
  const response = await ask('PATCH', `/console/api/channels/${channel}/`, { settings });
  if (!response.ok) throw new Error(`the channel was not changed: ${await response.text()}`);
}

const caller =
  ({ url }: Program, headers: Record<string, string>): Ask =>
  (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' },
      ...(body !== undefined && { body: typeof body === 'object' ? JSON.stringify(body) : body }),
    });

/** Each of some callers repeats the work. Returns how often each status came. */
async function keepBusy({ callers, make }: Work): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const until = performance.now() + seconds * 1_000;
  let n = 0;
  const repeat = async (): Promise<void> => {
    while (performance.now() < until) {
      n += 1;
      const response = await make(n);
      await response.arrayBuffer();
      answers[response.status] = (answers[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  return answers;
}

/** Makes six kinds of ordinary calls in turns, and takes their times. */
async function startProbe(program: Program, scene: Scene) {
  const chat = await firstMessage(program, scene, 'nora');
  const ask = caller(program, scene.key);
  const push = { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' }, is_force: true };
  const kinds: (() => Promise<unknown>)[] = [
    () => ask('POST', '/api/partners/push-messages/', push),
    () => ask('GET', '/api/partners/push-messages/?limit=20'),
    () => ask('GET', '/api/partners/profiles/'),
    () => ask('GET', '/api/partners/mailings/'),
    () => ask('POST', '/api/partners/promocode-groups/', { name: uuidv7(new Date()) }),
    () => firstMessage(program, scene, 'nora'),
  ];
  let times: number[] = [];
  let isStopped = false;
  const repeat = async (call: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      const begun = performance.now();
      const answer = await call();
      if (answer instanceof Response) await answer.arrayBuffer();
      times.push(performance.now() - begun);
      await pause(everyMs);
    }
  };
  for (const call of kinds) void repeat(call);
  return {
    take(): Pick<Beside, 'p50' | 'most'> {
      const sorted = times.sort((one, another) => one - another);
      times = [];
      return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
    },
    stop: () => {
      isStopped = true;
    },
  };
}
