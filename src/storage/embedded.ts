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
  let worker: Worker | undefined;
  let closing = false;

  async function keepRunning(): Promise<void> {
    worker = await start();
    worker.once('error', (error) => log.error({ err: error }, 'the embedded database crashed'));
    worker.once('exit', restart);
  }
  async function restart(): Promise<void> {
    worker = undefined;
    while (!worker && !closing) {
      await delay(restartDelayMs, undefined, { ref: false });
      await keepRunning().catch((error) => log.error({ err: error }, 'the embedded database does not start'));
    }
  }

  await keepRunning().catch((error) => {
    release();
    throw error;
  });
  return {
    async close() {
      closing = true;
      await stopWorker(worker).finally(release);
    },
  };
}

async function startWorker(workerData: { directory: string; socketPath: string }): Promise<Worker> {
  rmSync(workerData.socketPath, { force: true });
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData });
  await once(worker, 'message');
  worker.unref();
  return worker;
}

async function stopWorker(worker: Worker | undefined): Promise<void> {
  if (!worker) return;
  worker.removeAllListeners('exit');
  worker.ref();
  worker.postMessage('close');
  await once(worker, 'exit');
}
