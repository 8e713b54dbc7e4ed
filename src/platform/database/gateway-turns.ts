import { type Client, disconnect } from './gateway-client.ts';

export type Turns = {
  /** Whether a client has a turn, or is about to have one. */
  readonly areRunning: boolean;
  /** Queues a client for a turn, if it has work and reads its answers. */
  enqueue(client: Client): void;
  /** Sets whether the client keeps the session until its next turn, before all others. */
  hold(client: Client, keep: boolean): void;
  isHolder(client: Client): boolean;
};

/**
 * Assigns the turns: to the holder, or else to the client that has waited longest. A holder that blocks others this
 * long without a request is disconnected.
 */
export function createTurns(serve: (client: Client) => Promise<void>, patienceMs: number): Turns {
  const queue: Client[] = [];
  let holder: Client | undefined;
  let running = false;
  let patience: NodeJS.Timeout | undefined;

  return {
    get areRunning() {
      return running;
    },
    enqueue,
    hold,
    isHolder: (client) => client === holder,
  };

  function enqueue(client: Client): void {
    const idle = client.units.length === 0 && !client.gone;
    if (client.queued || idle || client.socket.writableNeedDrain) return;
    client.queued = true;
    queue.push(client);
    if (!running) {
      running = true;
      setImmediate(serveNext);
    }
  }

  /** One batch a turn of the event loop, so that messages that arrive meanwhile join the next batch. */
  async function serveNext(): Promise<void> {
    const client = takeNext();
    running = client !== undefined;
    if (!client) return;
    client.queued = false;
    await serve(client);
    setImmediate(serveNext);
  }

  function takeNext(): Client | undefined {
    if (!holder) return queue.shift();
    const index = queue.indexOf(holder);
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  function hold(client: Client, keep: boolean): void {
    clearTimeout(patience);
    holder = keep ? client : undefined;
    if (keep) patience = setTimeout(losePatience, patienceMs, client).unref();
  }

  function losePatience(client: Client): void {
    if (queue.length === 0) hold(client, true);
    else disconnect(client.socket, '25P03', 'an idle transaction kept other connections waiting');
  }
}
