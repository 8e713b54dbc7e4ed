import { setTimeout as pause } from 'node:timers/promises';
import { middle } from './accept.ts';
import { bareLoop } from './bare-loop.ts';
import { addChats, addMessages, countSent, setChannel } from './fill.ts';
import { arePeersInstalled, graphileWorker } from './peers.ts';
import { memoryOf, openStorage, type Receiver, type Storage, startProgram } from './processes.ts';
import { setScene } from './scene.ts';

/** The bare loop and the peers have as many concurrent calls as the engine has for one channel. */
const concurrency = 96;
const rounds = 3;

export type Delivered = {
  ours: number;
  bare: number;
  /** Jobs per second of graphile-worker. Null without a server, or if it is not installed. */
  peer: number | null;
  memoryAtRest: number;
  memoryBusy: number;
};

/**
 * Sends `count` due messages through the whole engine to a local provider, in turns with a bare loop of the same
 * calls, and with a peer that does the same job.
 */
export async function deliver(storage: Storage, receiver: Receiver, count: number): Promise<Delivered> {
  const program = await startProgram(storage);
  const scene = await setScene(program, receiver.url);
  const database = await openStorage(storage);
  const { longSql: sql } = database;
  const memoryAtRest = memoryOf(program.pid);
  const chats = await addChats(sql, scene, count);
  let memoryBusy = 0;

  const drain = async (): Promise<number> => {
    await setChannel(sql, scene, 'paused');
    const before = await countSent(sql, scene);
    await addMessages(sql, scene, chats);
    await receiver.reset();
    await setChannel(sql, scene, 'active');
    for (;;) {
      await pause(200);
      memoryBusy = Math.max(memoryBusy, memoryOf(program.pid));
      const { calls, first, last } = await receiver.report();
      if (calls < count) continue;
      while ((await countSent(sql, scene)) < before + count) await pause(20);
      if (calls > count) throw new Error(`${calls} calls for ${count} messages`);
      return count / ((last - first) / 1000);
    }
  };

  const sample = sampleCall(receiver.url, scene.project, Math.min(count, 20_000));
  await bareLoop(sample);
  const hasPeer = storage.name === 'server' && arePeersInstalled();
  const figures: { ours: number; bare: number; peer: number | null }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push({
      bare: await bareLoop(sample),
      ours: await drain(),
      peer: hasPeer ? await graphileWorker(storage, receiver, { count, concurrency }) : null,
    });
  }
  await database.close();
  await program.stop();
  return { ...middle(figures, ({ ours, bare }) => ours / bare), memoryAtRest, memoryBusy };
}

/** A call as the engine makes it. */
const sampleCall = (url: string, id: string, calls: number) => ({
  url,
  calls,
  concurrency,
  headers: {
    'content-type': 'application/json',
    'idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': '1795147200',
    'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}`,
  },
  body: JSON.stringify({
    event_type: 'message',
    payload: {
      message: {
        uuid: id,
        type: 'text',
        text: 'Your order has been shipped.',
        url: null,
        buttons: [],
      },
      chat: { uuid: id, external_id: id },
    },
    timestamp: 1_795_147_200_000,
  }),
});
