import type pg from 'pg';
import type { Logger } from 'pino';
import { ask, ConnectionLost, cut } from './connection.ts';
import { connect, findServer } from './server.ts';
import type { DatabaseAddress } from './server-address.ts';

type Listening = {
  onMessage: (payload: string) => void;
  /** Called whenever listening begins; what was said before is unknown. */
  onListening: () => void;
  log: Logger;
};

const retryMs = 1_000;
/** A question now and then, as a connection that only listens would not notice that the server is gone. */
const heartbeatMs = 15_000;
const patienceMs = 2_000;

/** Listens on a NOTIFY channel until the returned function is called, through losses of the connection. */
export async function listen(
  address: DatabaseAddress,
  channel: string,
  { onMessage, onListening, log }: Listening,
): Promise<() => Promise<void>> {
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function begin(): Promise<void> {
    const { client } = await connect(await findServer(address, patienceMs));
    if (isClosed) return end(client);
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    await ask(client, { text: `listen ${channel}` }, patienceMs).catch((error: unknown) => {
      end(client);
      throw error;
    });
    if (isClosed) return end(client);
    current = client;
    client.once('end', beginLater);
    onListening();
  }
  function beginLater(): void {
    current = undefined;
    if (isClosed) return;
    retry = setTimeout(() => {
      begin().catch((err) => {
        log.warn({ err }, 'wake-ups from other processes are not heard');
        beginLater();
      });
    }, retryMs);
  }
  const heartbeat = setInterval(() => {
    if (current) ask(current, { text: 'select 1' }, patienceMs).catch(() => {});
  }, heartbeatMs).unref();

  await begin();
  return async () => {
    isClosed = true;
    clearInterval(heartbeat);
    clearTimeout(retry);
    if (current) end(current);
  };
}

/** Nothing is lost with a listener, so nobody waits for its goodbye. */
function end(client: pg.Client): void {
  cut(client, new ConnectionLost('listening has ended'));
}
