import type { Context } from '../../platform/context.ts';
import { leaseDueFiles } from '../attachments/client-files-store.ts';
import { bringFile, fileLeaseMs } from './bring-file.ts';

const lookEveryMs = 5_000;
const atOnce = 8;

export type Fetching = { stop(): Promise<void> };

/** Fetches the files of clients as soon as they are known: some providers' addresses expire within minutes. */
export function startFetching(context: Context): Fetching {
  const { sql, clock, log, wake } = context;
  let stopping = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function look(): void {
    again = true;
    if (running || stopping) return;
    clearTimeout(timer);
    running = drain()
      .catch((error: unknown) => log.warn({ err: error }, 'fetching: could not look for files'))
      .finally(() => {
        running = null;
        if (!stopping) timer = setTimeout(look, lookEveryMs);
      });
  }

  async function drain(): Promise<void> {
    for (let found = atOnce; (found === atOnce || again) && !stopping; ) {
      again = false;
      const now = clock.now();
      const files = await leaseDueFiles(sql, now, new Date(now.getTime() + fileLeaseMs), atOnce);
      await Promise.all(files.map((file) => bringFile(context, file)));
      found = files.length;
    }
  }

  const forget = wake.subscribe('files', look);
  look();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      forget();
      await running;
    },
  };
}
