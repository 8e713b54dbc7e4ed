import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseDirectory, newSocketPath, prepareFolder, takeOwnership } from './data-folder.ts';
import { type EmbeddedThread, startThread } from './embedded-thread.ts';

/** A PostgreSQL inside this process. Ordinary clients reach it at the `socketPath` of the folder. */
export type EmbeddedServer = { close(): Promise<void> };

export type EmbeddedOptions = {
  log: Logger;
  /** The database refuses writes while less is left on the disk. */
  reservedBytes: number;
};

const firstDelayMs = 500;
const longestDelayMs = 4_000;

/**
 * Starts the embedded database of a data folder, and makes it on first use. Restarts it whenever it ends.
 * @throws DataFolderInUse
 */
export async function startEmbedded(
  folder: string,
  { log, reservedBytes }: EmbeddedOptions,
): Promise<EmbeddedServer> {
  prepareFolder(folder);
  const release = await takeOwnership(folder);
  const closing = new AbortController();
  const given = { directory: databaseDirectory(folder), socketPath: newSocketPath(folder), reservedBytes };
  const start = () => startThread(given, log, closing.signal);
  let current: EmbeddedThread | undefined;

  async function keepRunning(): Promise<void> {
    while (current) {
      const reason = await current.ended;
      if (closing.signal.aborted) return;
      log.error({ reason }, 'the embedded database has ended, and is started again');
      current = await startAgain();
      if (closing.signal.aborted) await current?.stop();
    }
  }
  async function startAgain(): Promise<EmbeddedThread | undefined> {
    let told = '';
    for (
      let delayMs = firstDelayMs;
      !closing.signal.aborted;
      delayMs = Math.min(2 * delayMs, longestDelayMs)
    ) {
      try {
        await delay(delayMs, undefined, { signal: closing.signal });
        return await start();
      } catch (error) {
        const { message } = error instanceof Error ? error : new Error(String(error));
        if (message !== told && !closing.signal.aborted)
          log.error({ reason: message }, 'the embedded database does not start');
        told = message;
      }
    }
    return undefined;
  }

  try {
    current = await start();
  } catch (error) {
    release();
    throw error;
  }
  const running = keepRunning();
  return {
    async close() {
      closing.abort();
      await current?.stop();
      await running;
      release();
    },
  };
}
