import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver, Storage } from './processes.ts';

const folder = join(import.meta.dirname, 'peers');

/** Their packages are installed by hand: `cd bench/peers && npm ci`. */
export const arePeersInstalled = (): boolean => existsSync(join(folder, 'node_modules'));

/** The jobs per second of graphile-worker, with the bench's call as the job. */
export async function graphileWorker(
  storage: Storage,
  receiver: Receiver,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<number> {
  const address = storage.environment.DATABASE_URL ?? '';
  const child = fork(join(folder, 'graphile-worker.js'), [address, receiver.url, String(concurrency)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const ask = async (message: { queue: number } | 'start' | 'stop'): Promise<void> => {
    child.send(message);
    await once(child, 'message');
  };
  await ask({ queue: count });
  await receiver.reset();
  await ask('start');
  for (;;) {
    await pause(200);
    const { calls, first, last } = await receiver.report();
    if (calls < count) continue;
    await ask('stop');
    return count / ((last - first) / 1000);
  }
}
