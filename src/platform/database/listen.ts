import type pg from 'pg';
import type { Logger } from 'pino';
import { ask, ConnectionLost, cut } from './connection.ts';
import { findServer } from './find-server.ts';
import { connect, greet, letInMsOf } from './server.ts';
import type { DatabaseAddress } from './server-address.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

type Listening = {
  onMessage: (payload: string) => void;
  /** Called whenever listening begins. Earlier notifications may have been missed. */
  onListening: () => void;
  log: Logger;
};

export type Listener = {
  /** Whether notifications arrive now. */
  isListening(): boolean;
  stop(): Promise<void>;
};

const retryMs = 1_000;
/** A regular query, because a connection that only listens would not notice a lost server. */
const heartbeatMs = 15_000;
const patienceMs = 2_000;
const limits = { statementTimeoutMs: patienceMs, connectMs: patienceMs };

/** The address leads to a pooler, which lends a listener's connection to others between its statements. */
class CannotListen extends Error {}

/** Listens on a NOTIFY channel until it is stopped. A lost connection is replaced. */
export async function listen(
  address: DatabaseAddress,
  channel: string,
  { onMessage, onListening, log }: Listening,
): Promise<Listener> {
  const requirements = { ...address, ...limits };
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function begin(): Promise<void> {
    const { client } = await connect(await findServer(address, limits), letInMsOf(requirements));
    try {
      const { prefix } = await greet(client, requirements);
      if (prefix === null) throw new CannotListen('behind a pooler nobody can listen');
      client.on('notification', ({ payload = '' }) => onMessage(payload));
      await ask(client, { text: `listen ${channel}` }, patienceMs);
    } catch (error) {
      end(client);
      throw error;
    }
    if (isStopped) return end(client);
    current = client;
    client.once('end', beginLater);
    onListening();
  }
  function beginLater(): void {
    current = undefined;
    if (isStopped) return;
    retry = setTimeout(() => {
      begin().catch(sayAndBeginLater);
    }, retryMs);
  }
  function sayAndBeginLater(err: unknown): void {
    log.warn({ err }, 'wake-ups from other processes are not heard');
    beginLater();
  }
  const heartbeat = setInterval(() => {
    if (current) ask(current, { text: 'select 1' }, patienceMs).catch(() => {});
  }, heartbeatMs).unref();

  await begin().catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return sayAndBeginLater(error);
    if (!(error instanceof CannotListen)) throw error;
    log.warn(
      'DATABASE_URL leads to a pooler, through which wake-ups are not heard. Set DATABASE_LISTEN_URL to the server itself.',
    );
  });
  return {
    isListening: () => current !== undefined,
    async stop() {
      isStopped = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      if (current) end(current);
    },
  };
}

/** Ending a listener loses nothing, so its goodbye is not awaited. */
function end(client: pg.Client): void {
  cut(client, new ConnectionLost('listening has ended'));
}
