import { createServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Client, disconnect, receive } from './gateway-client.ts';
import { createServing, type Execute } from './gateway-serving.ts';
import { settingsOf } from './session.ts';
import { ownPrefix } from './session-statements.ts';
import { Framer, ProtocolViolation, readStartup } from './wire.ts';

export type GatewayOptions = {
  /** The answer to every startup message. */
  greeting: Buffer;
  /** Whether writes are refused. */
  isDiskLow?: () => boolean;
  /** A client that blocks others for this long with an idle transaction is disconnected. */
  patienceMs?: number;
};

export type Gateway = {
  listen(socketPath: string): Promise<void>;
  /**
   * Waits up to this long until the program's commands have left, then disconnects all clients. Resolves when
   * everything that they left behind is cleared away.
   */
  close(guestPatienceMs?: number): Promise<void>;
};

/** For clients without a `statement_timeout`. */
const longestLimitMs = 600_000;
const lookEveryMs = 10;

/**
 * Lets several PostgreSQL clients share one session. Each gets its turn with whole units only. A client keeps the
 * session from the unit that opens a transaction to the unit that ends it.
 */
export function createGateway(
  execute: Execute,
  { greeting, isDiskLow = () => false, patienceMs = 10_000 }: GatewayOptions,
): Gateway {
  const sockets = new Set<Socket>();
  const serving = createServing(execute, isDiskLow, patienceMs);
  const commands = new Set<Client>();
  let clients = 0;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    welcome(socket, greeting, (parameters) => addClient(socket, parameters));
  });

  return {
    listen: (socketPath) =>
      new Promise((listening, failed) => {
        server.once('error', failed).listen(socketPath, listening);
      }),
    async close(guestPatienceMs = 0) {
      const deadline = performance.now() + guestPatienceMs;
      while (commands.size > 0 && performance.now() < deadline) await delay(lookEveryMs);
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
      while (sockets.size > 0 || serving.areRunning) await nextTurn();
    },
  };

  function addClient(socket: Socket, parameters: Map<string, string>): (chunk: Buffer) => void {
    const settings = settingsOf(parameters);
    clients += 1;
    const client: Client = {
      socket,
      framer: new Framer(settings === '' ? `${ownPrefix}${clients} ` : ''),
      settings,
      limitMs: Number(parameters.get('statement_timeout')) || longestLimitMs,
      units: [],
      isMidUnit: false,
      waitingBytes: 0,
      queued: false,
      gone: false,
    };
    if (settings === '') commands.add(client);
    socket.on('drain', () => serving.enqueue(client));
    socket.on('close', () => {
      client.gone = true;
      commands.delete(client);
      serving.enqueue(client);
    });
    return (chunk) => {
      receive(client, chunk);
      serving.enqueue(client);
    };
  }
}

/** Answers the first messages of a connection, then passes the stream to the receiver that `start` returns. */
function welcome(
  socket: Socket,
  greeting: Buffer,
  start: (parameters: Map<string, string>) => (chunk: Buffer) => void,
): void {
  let pending = Buffer.alloc(0);
  socket.on('data', function listen(chunk) {
    pending = Buffer.concat([pending, chunk]);
    try {
      for (let request = readStartup(pending); request; request = readStartup(pending)) {
        pending = pending.subarray(request.length);
        if (request.kind === 'cancel') return void socket.end();
        if (request.kind === 'encrypt') {
          socket.write('N');
          continue;
        }
        socket.write(greeting);
        socket.off('data', listen);
        const receive = start(request.parameters);
        socket.on('data', receive);
        if (pending.length > 0) receive(pending);
        return;
      }
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      disconnect(socket, '08P01', error.message);
    }
  });
}
