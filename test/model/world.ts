import assert from 'node:assert/strict';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { receiveEvents } from '../../src/messaging/chats/receive.ts';
import { cancelPending } from '../../src/messaging/push-messages/store.ts';
import { startSending } from '../../src/messaging/sending/engine.ts';
import { dueChannels } from '../../src/messaging/sending/store.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Sql } from '../../src/platform/database/database.ts';
import type { OutboundAnswer } from '../../src/platform/outbound/outbound.ts';
import { OutboundFailed } from '../../src/platform/outbound/outbound.ts';
import type { ManualClock } from '../clock.ts';
import { severable } from '../cut-off.ts';
import { queueTexts } from '../queue-texts.ts';
import { seedChat, seedProject } from '../seed.ts';
import type { Ending, Receipt } from './message-model.ts';

/** A worker in the middle of its call, which ends on request, or never. */
export type Worker = { end(ending: Ending): Promise<void> };

/** One message in a real database, and the actions on it. */
export type World = {
  create(launchInMs: number | null): Promise<void>;
  isDue(): Promise<boolean>;
  /** Starts a worker, which claims the message and calls the provider. It claims nothing more. */
  work(): Promise<Worker>;
  cancel(): Promise<boolean>;
  receive(...receipts: Receipt[]): Promise<void>;
  pass(ms: number): void;
  /** Milliseconds since the message was first due. */
  age(): number;
  look(): Promise<{ state: string; moves: string[] }>;
};

/** Records every move of a message in the database. */
export async function watchMoves(sql: Sql): Promise<void> {
  await sql`create table moves (number bigint generated always as identity, message_id uuid, move text)`;
  await sql`
    create function note_move() returns trigger language plpgsql as $$
    begin
      insert into moves (message_id, move) values (new.id, old.state || '>' || new.state);
      return null;
    end $$`;
  await sql`
    create trigger note_moves after update of state on messages for each row
    when (old.state is distinct from new.state) execute function note_move()`;
}

export async function newWorld(context: Context, clock: ManualClock): Promise<World> {
  const { sql } = context;
  await sql`truncate messages, moves`;
  const projectId = await seedProject(sql);
  const channel = await addChannel(context, {
    projectId,
    platform: 'API_Messenger',
    name: 'Messenger',
    settings: { webhook_url: 'https://messenger.example/', secret: 'a secret of 24 characters' },
  });
  const chat = await seedChat(sql, projectId, { channelId: channel.id });
  let id = '';
  let firstDue = clock.now();

  return {
    async create(launchInMs) {
      const launchAt = launchInMs === null ? null : new Date(clock.now().getTime() + launchInMs);
      firstDue = launchAt ?? clock.now();
      [id = ''] = await queueTexts(context, { projectId, channelId: channel.id, chat }, 1, launchAt);
    },
    async isDue() {
      const lanes = await dueChannels(sql, clock.now());
      return lanes.some(({ key, dueAt }) => key === channel.id && dueAt <= clock.now());
    },
    work: () => startWorker(context),
    cancel: () => cancelPending(sql, projectId, id, [], clock.now()),
    async receive(...receipts) {
      await receiveEvents(
        context,
        channel,
        receipts.map((state) => ({ kind: 'receipt', message: { uuid: id }, state, detail: '' })),
      );
    },
    pass: (ms) => clock.advance(ms),
    age: () => clock.now().getTime() - firstDue.getTime(),
    async look() {
      const [row] = await sql<[{ state: string }]>`select state from messages where id = ${id}`;
      const moves = await sql<
        { move: string }[]
      >`select move from moves where message_id = ${id} order by number`;
      return { state: row.state, moves: moves.map(({ move }) => move) };
    },
  };
}

async function startWorker(context: Context): Promise<Worker> {
  const called = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Ending>();
  // The worker must not renew its lease meanwhile: the model simulates a dead or frozen worker.
  const { sql, cut, mend } = severable(context.sql);
  const engine = startSending({
    ...context,
    sql,
    outbound: {
      ...context.outbound,
      async request() {
        called.resolve();
        return answerOf(await ended.promise);
      },
    },
  });
  await called.promise;
  cut();
  const stopped = engine.stop();
  return {
    async end(ending) {
      mend();
      ended.resolve(ending);
      await stopped;
    },
  };
}

function answerOf(ending: Ending): OutboundAnswer {
  const answer = (status: number) => ({ status, headers: {}, body: Buffer.from('{}'), truncated: false });
  switch (ending) {
    case 'sent':
      return answer(200);
    case 'slow down':
      return answer(429);
    case 'refused':
      return answer(422);
    case 'unauthorized':
      return answer(401);
    case 'lost':
      throw new OutboundFailed('timeout', true);
    case 'unheard':
      throw new OutboundFailed('connect', false);
  }
}

export async function assertSame(world: World, expected: { state: string; moves: string[] }): Promise<void> {
  const { state, moves } = expected;
  assert.deepEqual(await world.look(), { state, moves });
}
