import type pg from 'pg';
import type { Logger } from 'pino';
import { ask, ConnectionLost, cut } from './connection.ts';
import { connect, findServer, greet, letInMsOf } from './server.ts';
import type { DatabaseAddress } from './server-address.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

type Listening = {
  onMessage: (payload: string) => void;
  /** Called whenever listening begins; what was said before is unknown. */
  onListening: () => void;
  log: Logger;
};

export type Listener = {
  /** Whether what is said now is heard. */
  isListening(): boolean;
  stop(): Promise<void>;
};

const retryMs = 1_000;
/** A question now and then, as a connection that only listens would not notice that the server is gone. */
const heartbeatMs = 15_000;
const patienceMs = 2_000;

/** The address leads to a pooler, which gives a listener's connection to others between its statements. */
class CannotListen extends Error {}

/** Listens on a NOTIFY channel until it is stopped, through losses of the connection. */
export async function listen(
  address: DatabaseAddress,
  channel: string,
  { onMessage, onListening, log }: Listening,
): Promise<Listener> {
  const requirements = { ...address, statementTimeoutMs: patienceMs };
  let current: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function begin(): Promise<void> {
    const { client } = await connect(await findServer(address, patienceMs), letInMsOf(requirements));
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

/** Nothing is lost with a listener, so nobody waits for its goodbye. */
function end(client: pg.Client): void {
  cut(client, new ConnectionLost('listening has ended'));
}
