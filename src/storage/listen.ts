import type { Logger } from 'pino';
import { connectPool, type LivePool } from './live-pool.ts';
import { type Address, readTemplate } from './pool.ts';

type Listening = {
  onMessage: (payload: string) => void;
  /** Called whenever listening begins; what was said before is unknown. */
  onListening: () => void;
  log: Logger;
};

const retryMs = 1_000;
/** A question now and then, as a connection that only listens would not notice that the server is gone. */
const heartbeatMs = 15_000;
const statementTimeoutMs = 2_000;

/** Listens on a NOTIFY channel until the returned function is called, through losses of the connection. */
export async function listen(
  address: Address,
  channel: string,
  { onMessage, onListening, log }: Listening,
): Promise<() => Promise<void>> {
  const template = await readTemplate(address, { max: 1, statementTimeoutMs, log, onMessage });
  let live: LivePool | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    live = connectPool(template, statementTimeoutMs, reconnect);
    await live.sql`listen ${live.sql(channel)}`;
    onListening();
  }
  function reconnect(lost: LivePool): void {
    if (lost !== live) return;
    live = undefined;
    void lost.retire();
    retry = setTimeout(
      () => connect().catch((err) => log.warn({ err }, 'wake-ups from other processes are not heard')),
      retryMs,
    );
  }
  const heartbeat = setInterval(() => {
    if (live) live.sql`select 1`.catch(() => {});
  }, heartbeatMs).unref();

  await connect();
  return async () => {
    clearInterval(heartbeat);
    clearTimeout(retry);
    const last = live;
    live = undefined;
    await last?.end(0);
  };
}
