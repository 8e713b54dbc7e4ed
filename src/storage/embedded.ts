import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { databaseDirectory, newSocketPath, prepareFolder, takeOwnership } from './data-folder.ts';

/** A PostgreSQL inside this process, which ordinary clients reach at the `socketPath` of the folder. */
export type EmbeddedServer = { close(): Promise<void> };

const restartDelayMs = 1_000;

/**
 * Starts the embedded database of a data folder, making it on first use, and starts it again should it crash.
 * @throws DataFolderInUse
 */
export async function startEmbedded(folder: string, log: Logger): Promise<EmbeddedServer> {
  prepareFolder(folder);
  const release = takeOwnership(folder);
  const socketPath = newSocketPath(folder);
  const start = () => startWorker({ directory: databaseDirectory(folder), socketPath });
  let closing = false;
  let current: Promise<Worker | undefined> = keepRunning();

  async function keepRunning(): Promise<Worker> {
    const worker = await start();
    worker.once('error', (error) => log.error({ err: error }, 'the embedded database crashed'));
    worker.once('exit', () => {
      if (!closing) current = restart();
    });
    return worker;
  }
  async function restart(): Promise<Worker | undefined> {
    while (!closing) {
      await delay(restartDelayMs);
      try {
        return await keepRunning();
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start');
      }
    }
    return undefined;
  }
  async function close(): Promise<void> {
    closing = true;
    const worker = await current;
    if (worker) await stopWorker(worker);
  }

  try {
    await current;
  } catch (error) {
    release();
    throw error;
  }
  return { close: () => close().finally(release) };
}

async function startWorker(workerData: { directory: string; socketPath: string }): Promise<Worker> {
  rmSync(workerData.socketPath, { force: true });
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData });
  await once(worker, 'message');
  worker.unref();
  return worker;
}

async function stopWorker(worker: Worker): Promise<void> {
  worker.ref();
  worker.postMessage('close');
  await once(worker, 'exit');
}
