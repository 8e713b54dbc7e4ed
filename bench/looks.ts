import { setTimeout as pause } from 'node:timers/promises';
import { insertChannel } from '../src/channels/connected/store.ts';
import { dueChannels } from '../src/messaging/sending/store.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { createVault } from '../src/platform/secrets/vault.ts';
import { type Latency, pushLatency, quantile, startProvider } from './idle.ts';
import { openStorage, type Receiver, type Storage, startProgram } from './processes.ts';
import { setScene } from './scene.ts';

const projects = 200;
const channels = 500;
const months = 28;
const burst = 10_000;
const samples = 100;

type Target = { project: string; channel: string; chat: string };

export type Looks = {
  /** One look for due channels while nothing is due, and while each channel has due messages. */
  idleLook: number;
  busyLook: number;
  push: Latency;
  /** Messages per second of a burst over all channels, and of a burst of the same size over one channel. */
  overMany: number;
  overOne: number;
};

/** The cost of finding due work with many channels, many partitions and a long history. */
export async function looks(storage: Storage, receiver: Receiver, history: number): Promise<Looks> {
  const provider = await startProvider();
  const program = await startProgram(storage);
  const scene = await setScene(program, provider.url);
  const database = await openStorage(storage);
  const { sql, longSql } = database;
  const targets = await addChannels(longSql, storage, receiver.url);
  await addHistory(longSql, targets, history);

  const idleLook = await typicalMs(() => dueChannels(sql, new Date()));
  const push = await pushLatency(program, scene, provider, samples);

  const queue = async (to: Target[]): Promise<void> => {
    await setChannels(longSql, 'paused');
    await addBurst(longSql, to);
    await receiver.reset();
  };
  const drain = async (): Promise<number> => {
    await setChannels(longSql, 'active');
    for (;;) {
      await pause(50);
      const { calls, first, last } = await receiver.report();
      if (calls >= burst) return burst / ((last - first) / 1000);
    }
  };
  const one = targets.slice(0, 1);
  await queue(one);
  await drain();
  await queue(targets);
  const overMany = await drain();
  await queue(one);
  const overOne = await drain();
  await pause(1000);
  await addBurst(longSql, targets, 'in an hour');
  const busyLook = await typicalMs(() => dueChannels(sql, new Date()));
  await database.close();
  await program.stop();
  provider.stop();
  return { idleLook, busyLook, push, overMany, overOne };
}

async function typicalMs(look: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < samples + 20; n += 1) {
    const start = performance.now();
    await look();
    if (n >= 20) times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

/** Projects with API_Messenger channels that lead to the receiver, and a chat on each. */
async function addChannels(sql: Sql, { environment }: Storage, receiverUrl: string): Promise<Target[]> {
  const vault = createVault(environment.PATCHBAY_SECRET_KEY ?? '');
  const now = new Date();
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const ids = Array.from({ length: projects }, () => uuidv7(now));
  await sql`insert into projects (id, name, created_at) select id, 'Many', ${now} from unnest(${ids}::uuid[]) as id`;
  const targets: Target[] = [];
  while (targets.length < channels) {
    const [project = '', channel, chat] = [ids[targets.length % projects], uuidv7(now), uuidv7(now)];
    await insertChannel(sql, {
      projectId: project,
      id: channel,
      platform: 'API_Messenger',
      name: 'Many',
      settings: JSON.stringify({ webhook_url: receiverUrl }),
      sealedSettings: vault.seal(JSON.stringify({ secret }), `channel:${channel}`),
      rate: null,
      createdAt: now,
    });
    targets.push({ project, channel, chat });
  }
  await sql`
    with made as (
      insert into profiles (project_id, id, created_at, updated_at)
      select project, chat, ${now}, ${now} from ${rowsOf(sql, targets)}
    )
    insert into chats (project_id, id, channel_id, profile_id, platform, external_id, created_at, last_active_at)
    select project, chat, channel, chat, 'API_Messenger', chat::text, ${now}, ${now} from ${rowsOf(sql, targets)}`;
  return targets;
}

const rowsOf = (sql: Sql, targets: Target[]) =>
  sql`jsonb_to_recordset(${sql.json(targets)}) as target (project uuid, channel uuid, chat uuid)`;

/** A number of messages that were sent in earlier months. */
async function addHistory(sql: Sql, targets: Target[], count: number): Promise<void> {
  const past = months - 3;
  const first = new Date();
  first.setUTCMonth(first.getUTCMonth() - past, 2);
  await sql`select ensure_partitions(${first}, ${months})`;
  const ofEach = Math.ceil(count / targets.length / past);
  for (let month = 0; month < past; month += 1) {
    const sent = new Date(first);
    sent.setUTCMonth(first.getUTCMonth() + month);
    await sql`
      insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
        state, lane, due_at, sent_at)
      select project,
        overlay(overlay(gen_random_uuid()::text placing left(uuid_floor(${sent})::text, 13) from 1) placing '-7' from 14)::uuid,
        chat, channel, 'out', 'push', 'TEXT', '{"text": "Your order has been shipped."}', ${sent},
        'SENT', 1, ${sent}, ${sent}
      from ${rowsOf(sql, targets)}, generate_series(1, ${ofEach}::integer)`;
  }
  await sql`analyze`;
}

/** A burst in equal parts, inserted by one statement. */
async function addBurst(sql: Sql, targets: Target[], due: 'now' | 'in an hour' = 'now'): Promise<void> {
  const now = new Date();
  const dueAt = due === 'now' ? now : new Date(now.getTime() + 3_600_000);
  const ids = Array.from({ length: burst }, () => uuidv7(now));
  await sql`
    with placed as (select *, row_number() over () - 1 as place from ${rowsOf(sql, targets)})
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
      state, lane, due_at)
    select project, message.id, chat, channel, 'out', 'push', 'TEXT', '{"text": "Your order has been shipped."}', ${now},
      'PENDING', 1, ${dueAt}
    from unnest(${ids}::uuid[]) with ordinality as message (id, number)
    join placed on place = number % ${targets.length}::integer`;
}

async function setChannels(sql: Sql, state: 'active' | 'paused'): Promise<void> {
  await sql`update channels set state = ${state} where name = 'Many'`;
}
