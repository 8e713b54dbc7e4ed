import { createServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createSession, ownPrefix, settingsOf } from './session.ts';
import {
  copyInResponse,
  Framer,
  farewell,
  fatalError,
  messagesOf,
  ProtocolViolation,
  readStartup,
  readyBytes,
  readyStatus,
  type Unit,
  withoutCopyInResponse,
} from './wire.ts';

/**
 * Runs whole protocol messages and hands out the answer piece by piece. A piece is valid during the call only. A step
 * may take `limitMs`.
 */
export type Execute = (
  messages: Buffer,
  onAnswer: (piece: Uint8Array) => void,
  limitMs: number,
) => Promise<void>;

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

/** Larger batches let a pipelining client go faster, smaller ones let the others in sooner. */
const maxBatchUnits = 128;
const writeBytes = 64 * 1024;
const maxWaitingBytes = 1024 * 1024;

/** For clients without a `statement_timeout`, and for the gateway's own statements. */
const longestLimitMs = 600_000;
const ownLimitMs = 60_000;
const lookEveryMs = 10;

type Client = {
  socket: Socket;
  framer: Framer;
  /** See `Guest`. */
  settings: string;
  limitMs: number;
  units: Unit[];
  /** Whether its last unit was a flush, so that the next unit continues it. */
  isMidUnit: boolean;
  waitingBytes: number;
  queued: boolean;
  gone: boolean;
};

/**
 * Lets several PostgreSQL clients share one session. Each gets its turn with whole units only. A client keeps the
 * session from the unit that opens a transaction to the unit that ends it.
 */
export function createGateway(
  execute: Execute,
  { greeting, isDiskLow = () => false, patienceMs = 10_000 }: GatewayOptions,
): Gateway {
  const queue: Client[] = [];
  const sockets = new Set<Socket>();
  const session = createSession(run, isDiskLow);
  const commands = new Set<Client>();
  let clients = 0;
  let holder: Client | undefined;
  let running = false;
  let patience: NodeJS.Timeout | undefined;

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
      while (sockets.size > 0 || running) await nextTurn();
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
    socket.on('drain', () => enqueue(client));
    socket.on('close', () => {
      client.gone = true;
      commands.delete(client);
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

  /** One batch a turn of the event loop, so that messages that arrive meanwhile join the next batch. */
  async function serveNext(): Promise<void> {
    const client = takeNext();
    running = client !== undefined;
    if (!client) return;
    client.queued = false;
    const isAbandoned = client.gone && !client.framer.terminated;
    if (client.units.length > 0 && !isAbandoned) await serve(client);
    else await dismiss(client);
    setImmediate(serveNext);
  }

  function takeNext(): Client | undefined {
    if (!holder) return queue.shift();
    const index = queue.indexOf(holder);
    return index < 0 ? undefined : queue.splice(index, 1)[0];
  }

  async function serve(client: Client): Promise<void> {
    const { kind, bytes, touches } = takeBatch(client);
    if (kind === 'copyStart') {
      client.socket.write(copyInResponse);
    } else {
      if (client !== holder && !(await admit(client))) return;
      if (!client.isMidUnit) await session.prepare(client, touches);
      const status = await answer(client, kind, bytes);
      session.note(client, touches);
      client.isMidUnit = kind === 'flush';
      hold(client, status !== 'I');
    }
    client.waitingBytes -= bytes.length;
    if (client.waitingBytes <= maxWaitingBytes) client.socket.resume();
    enqueue(client);
  }

  /** Begins a client's turn. A client whose startup message asks for unknown settings gets none. */
  async function admit(client: Client): Promise<boolean> {
    const told = await session.enter(client);
    if (told.length > 0 && client.socket.writable) client.socket.write(told);
    if (!messagesOf(told).some(({ type }) => type === 'E')) return true;
    client.units = [];
    client.socket.destroySoon();
    return false;
  }

  async function dismiss(client: Client): Promise<void> {
    const names = [...client.framer.statements.keys()].filter((name) => name !== '');
    await run(farewell(names, client === holder));
    session.note(
      client,
      ['', ...names].map((name) => ({ how: 'closes', name })),
    );
    if (client === holder) hold(client, false);
    await session.leave(client);
  }

  async function run(messages: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await execute(messages, (piece) => pieces.push(Buffer.from(piece)), ownLimitMs);
    return Buffer.concat(pieces);
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

  /** Runs a batch, passes the answer on, and returns the transaction status at its end. */
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
    const onAnswer = (piece: Uint8Array) => {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size >= writeBytes && kind !== 'copy') passOn();
    };
    await execute(bytes, onAnswer, client.limitMs);
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

/** The client's next units that may run in one call. A unit after a flush, or of a COPY, waits for the answer. */
function takeBatch(client: Client): Unit {
  const end = client.units.findIndex((unit, index) => unit.kind !== 'sync' || index === maxBatchUnits);
  const last = client.units[end];
  if (last && (end === 0 || last.kind === 'flush')) return joined(client.units.splice(0, end + 1));
  return joined(client.units.splice(0, end < 0 ? client.units.length : end));
}

const joined = (units: Unit[]): Unit => ({
  kind: units.at(-1)?.kind ?? 'sync',
  bytes: Buffer.concat(units.map((unit) => unit.bytes)),
  touches: units.flatMap((unit) => unit.touches),
});

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

function disconnect(socket: Socket, sqlState: string, reason: string): void {
  if (socket.writable) socket.write(fatalError(sqlState, reason));
  socket.destroySoon();
}
