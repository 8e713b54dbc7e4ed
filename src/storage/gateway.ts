import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  copyInResponse,
  Framer,
  farewell,
  fatalError,
  ProtocolViolation,
  readStartup,
  readyBytes,
  readyStatus,
  type Unit,
  withoutCopyInResponse,
} from './wire.ts';

/** Runs whole protocol messages and hands out the answer piece by piece; a piece is valid during the call only. */
export type Execute = (messages: Buffer, onAnswer: (piece: Uint8Array) => void) => Promise<void>;

export type Gateway = {
  listen(socketPath: string): Promise<void>;
  /** Disconnects everybody, and waits until what they left behind is cleared away. */
  close(): Promise<void>;
};

/** Larger batches let a pipelining client go faster, smaller ones let the others in sooner. */
const maxBatchUnits = 128;
const writeBytes = 64 * 1024;
const maxWaitingBytes = 1024 * 1024;

type Client = {
  socket: Socket;
  framer: Framer;
  units: Unit[];
  waitingBytes: number;
  queued: boolean;
  gone: boolean;
};

/**
 * Lets several PostgreSQL clients share one session. Each gets its turn with whole units only, and keeps the session
 * from the unit that leaves a transaction open to the one that ends it.
 *
 * `greeting` is the answer to every startup message. A client that keeps others waiting for `patienceMs` with an idle
 * transaction is disconnected, as it would hold up everything for ever.
 */
export function createGateway(execute: Execute, greeting: Buffer, patienceMs = 10_000): Gateway {
  const queue: Client[] = [];
  const sockets = new Set<Socket>();
  let holder: Client | undefined;
  let running = false;
  let patience: NodeJS.Timeout | undefined;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    welcome(socket, greeting, () => addClient(socket));
  });

  return {
    listen: (socketPath) =>
      new Promise((listening, failed) => {
        server.once('error', failed).listen(socketPath, listening);
      }),
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
      while (sockets.size > 0 || running) await nextTurn();
    },
  };

  function addClient(socket: Socket): (chunk: Buffer) => void {
    const framer = new Framer();
    const client: Client = { socket, framer, units: [], waitingBytes: 0, queued: false, gone: false };
    socket.on('drain', () => enqueue(client));
    socket.on('close', () => {
      client.gone = true;
      enqueue(client);
    });
    return (chunk) => receive(client, chunk);
  }

  function receive(client: Client, chunk: Buffer): void {
    for (const unit of frame(client, chunk)) {
      client.units.push(unit);
      client.waitingBytes += unit.bytes.length;
    }
    if (client.waitingBytes > maxWaitingBytes) client.socket.pause();
    if (client.framer.terminated) client.socket.end();
    enqueue(client);
  }

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

  /** One batch a turn of the event loop, so that what arrives meanwhile joins the next batch. */
  async function serveNext(): Promise<void> {
    const client = takeNext();
    running = client !== undefined;
    if (!client) return;
    client.queued = false;
    if (client.units.length > 0) await serve(client);
    else await dismiss(client);
    setImmediate(serveNext);
  }

  function takeNext(): Client | undefined {
    if (!holder) return queue.shift();
    const index = queue.indexOf(holder);
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  async function serve(client: Client): Promise<void> {
    const { kind, bytes } = takeBatch(client);
    if (kind === 'copyStart') {
      client.socket.write(copyInResponse);
    } else {
      const status = await answer(client, kind, bytes);
      hold(client, status !== 'I');
    }
    client.waitingBytes -= bytes.length;
    if (client.waitingBytes <= maxWaitingBytes) client.socket.resume();
    enqueue(client);
  }

  async function dismiss(client: Client): Promise<void> {
    await execute(farewell(client.framer.statements, client === holder), () => {});
    if (client === holder) hold(client, false);
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

  /** Runs a batch, passes the answer on, and returns the transaction status that it ends with. */
  async function answer(client: Client, kind: Unit['kind'], bytes: Buffer): Promise<string | undefined> {
    let pieces: Buffer[] = [];
    let size = 0;
    let tail = Buffer.alloc(0);
    const passOn = () => {
      const part = Buffer.concat(pieces);
      tail = Buffer.concat([tail, part.subarray(-readyBytes)]).subarray(-readyBytes);
      if (client.socket.writable) client.socket.write(kind === 'copy' ? withoutCopyInResponse(part) : part);
      pieces = [];
      size = 0;
    };
    await execute(bytes, (piece) => {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size >= writeBytes && kind !== 'copy') passOn();
    });
    if (size > 0) passOn();
    return kind === 'flush' ? undefined : readyStatus(tail);
  }
}

function frame(client: Client, chunk: Buffer): Unit[] {
  try {
    return client.framer.push(chunk);
  } catch (error) {
    if (!(error instanceof ProtocolViolation)) throw error;
    disconnect(client.socket, '08P01', error.message);
    return [];
  }
}

/** The client's next units that may run in one call: what follows a flush, or belongs to a COPY, waits for the answer. */
function takeBatch(client: Client): Unit {
  const end = client.units.findIndex((unit, index) => unit.kind !== 'sync' || index === maxBatchUnits);
  const last = client.units[end];
  if (last && (end === 0 || last.kind === 'flush')) return joined(client.units.splice(0, end + 1));
  return joined(client.units.splice(0, end < 0 ? client.units.length : end));
}

const joined = (units: Unit[]): Unit => ({
  kind: units.at(-1)?.kind ?? 'sync',
  bytes: Buffer.concat(units.map((unit) => unit.bytes)),
});

/** Answers the first messages of a connection, then gives the stream to the receiver that `start` returns. */
function welcome(socket: Socket, greeting: Buffer, start: () => (chunk: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', function listen(chunk) {
    pending = Buffer.concat([pending, chunk]);
    try {
      for (let request = readStartup(pending); request; request = readStartup(pending)) {
        pending = pending.subarray(request.length);
        if (request.kind === 'cancel') return void socket.end();
        socket.write(request.kind === 'encrypt' ? 'N' : greeting);
        if (request.kind === 'encrypt') continue;
        socket.off('data', listen);
        const receive = start();
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

function disconnect(socket: Socket, sqlState: string, reason: string): void {
  if (socket.writable) socket.write(fatalError(sqlState, reason));
  socket.destroySoon();
}
