import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { signWebhook } from '../src/platform/secrets/signature.ts';
import { middle } from './accept.ts';
import { openStorage, type Program, type Receiver, type Storage, startProgram } from './processes.ts';
import { type Scene, setScene } from './scene.ts';

/** The bare loop has as many concurrent calls as the engine has for one endpoint. */
const concurrency = 256;
const rounds = 3;
const atOnce = 10_000;

/**
 * Sends `count` events of as many chats through the whole engine to a local receiver, in turns with a bare loop of
 * the same signed calls. Both in events per second.
 */
export async function webhooks(
  storage: Storage,
  receiver: Receiver,
  count: number,
): Promise<{ ours: number; bare: number }> {
  const program = await startProgram(storage);
  const scene = await setScene(program, receiver.url);
  const secret = await putCredentials(program, scene, receiver.url);
  const database = await openStorage(storage);
  const { longSql: sql } = database;
  const chats = Array.from({ length: count }, () => uuidv7(new Date()));

  const drain = async (): Promise<number> => {
    await enable(sql, scene, false);
    for (let from = 0; from < count; from += atOnce)
      await addEvents(sql, scene, chats.slice(from, from + atOnce));
    await receiver.reset();
    await enable(sql, scene, true);
    for (;;) {
      await pause(200);
      const { calls, first, last } = await receiver.report();
      if (calls < count) continue;
      while ((await countWaiting(sql, scene)) > 0) await pause(20);
      if (calls > count) throw new Error(`${calls} calls for ${count} events`);
      return count / ((last - first) / 1000);
    }
  };

  await signedLoop(receiver.url, secret, count);
  const figures: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ bare: await signedLoop(receiver.url, secret, count), ours: await drain() });
  }
  await database.close();
  await program.stop();
  return middle(figures, ({ ours, bare }) => ours / bare);
}

/** Sets the webhook as a partner would, and returns its secret. */
async function putCredentials(program: Program, scene: Scene, url: string): Promise<string> {
  const app = await program.command<{ client_id: string }>(
    ...['app', 'create', 'Bench', '--redirect-uri', 'https://crm.example/'],
  );
  const token = await program.command<{ access_token: string }>(
    ...['token', 'issue', '--app', app.client_id, '--project', scene.project],
  );
  const response = await fetch(`${program.url}/api/partners/integrations/credentials/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_url: url }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer && 'webhook_secret' in answer)
    return String(answer.webhook_secret);
  throw new Error(`the webhook could not be set: ${response.status}`);
}

async function enable(sql: Sql, scene: Scene, isEnabled: boolean): Promise<void> {
  const disabledAt = isEnabled ? null : new Date();
  await sql`update endpoints set disabled_at = ${disabledAt} where project_id = ${scene.project}`;
}

/** One event per chat. The endpoint should be disabled meanwhile. */
async function addEvents(sql: Sql, scene: Scene, chats: string[]): Promise<void> {
  const ids = chats.map(() => uuidv7(new Date()));
  await sql`
    with made as (
      select endpoints.id as endpoint_id, row.* from endpoints, unnest(${ids}::uuid[], ${chats}::uuid[]) as row (id, chat_id)
      where endpoints.project_id = ${scene.project}
    ),
    queues as (
      insert into event_queues as queue (project_id, endpoint_id, chat_id, waiting, due_at)
      select ${scene.project}, endpoint_id, chat_id, 1, now() from made
      on conflict (endpoint_id, chat_id) do update set waiting = queue.waiting + 1, due_at = now()
    )
    insert into events (project_id, id, endpoint_id, chat_id, event_type, body, created_at)
    select ${scene.project}, id, endpoint_id, chat_id, 'message_created', ${body}, now() from made`;
}

async function countWaiting(sql: Sql, scene: Scene): Promise<number> {
  const [row] = await sql<[{ waiting: number }]>`
    select coalesce(sum(waiting), 0)::int as waiting from event_queues where project_id = ${scene.project}`;
  return row.waiting;
}

/** Calls per second of a minimal loop that signs each call: undici, `concurrency` concurrent calls. */
async function signedLoop(url: string, secret: string, count: number): Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ connections: concurrency });
  let begun = 0;
  const start = performance.now();
  const call = async (): Promise<void> => {
    while (begun++ < count) {
      const timestamp = new Date();
      const headers = {
        'content-type': 'application/json',
        ...signWebhook({ id: uuidv7(timestamp), timestamp, body, secrets: [secret] }),
      };
      const answer = await agent.request({ origin, path, method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, call));
  const perSecond = count / ((performance.now() - start) / 1000);
  await agent.close();
  return perSecond;
}

const some = uuidv7(new Date());
const body = JSON.stringify({
  event_type: 'message_created',
  payload: {
    chat: { uuid: some, platform: 'Widget', name: 'Ann', phone: null, avatar: null },
    profile: { uuid: some },
    message: { uuid: some, type: 'text', text: 'Is my order on its way?', external_id: null },
    session: null,
  },
  timestamp: 1_795_147_200_000,
});
