import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type DatabaseAddress,
  embeddedAddress,
  type ServerAddress,
} from '../../src/platform/database/server-address.ts';

/** `asked` goes to the server, `answered` comes from it. */
export type Way = 'asked' | 'answered';

/** Happens when `at` bytes have passed in this direction. */
export type ByteFault =
  /** Both ends of the connection are closed. */
  | { kind: 'cut'; way: Way; at: number }
  /** Later bytes are swallowed. */
  | { kind: 'silence'; way: Way; at: number }
  /** Later bytes wait for `ms`, and continue in one piece with those that arrived meanwhile. */
  | { kind: 'delay'; way: Way; at: number; ms: number }
  /** The next `bytes` arrive one by one. */
  | { kind: 'dribble'; way: Way; at: number; bytes: number };

/** Happens after the answer's message number `at`. An error replaces the row after `at` rows. */
export type MessageFault =
  | { kind: 'notice'; at: number }
  | { kind: 'parameter'; at: number }
  /** A shutdown by an administrator: the server announces it and closes. */
  | { kind: 'shutdown'; at: number }
  /** A statement outside a transaction fails, from its client's view. */
  | { kind: 'error'; at: number };

export type Fault = ByteFault | MessageFault;
export type FaultKind = Fault['kind'];

/** The code of an `error` by the proxy. PostgreSQL does not use it. */
export const proxyErrorCode = 'XX999';

/** Stands between a client and PostgreSQL, and applies its faults to each connection. */
export type WireProxy = {
  address: DatabaseAddress;
  /** How many of each kind have happened. */
  inflicted: Map<FaultKind, number>;
  /** Bytes that have passed in each direction on each connection. */
  passed: Record<Way, number>[];
  /** Closes all connections. New ones may follow. */
  cut(): void;
  /** Stops all faults. Silent connections are closed. */
  heal(): void;
  close(): Promise<void>;
};

/** `faultsOf` is called once for each connection. Connections are counted from 0. */
export async function startWireProxy(
  target: DatabaseAddress,
  faultsOf: (connection: number) => readonly Fault[],
): Promise<WireProxy> {
  const [targetServer] = target.servers;
  if (!targetServer) throw new Error('an address has a server');
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const inflicted = new Map<FaultKind, number>();
  const passed: Record<Way, number>[] = [];
  let healed = false;

  const server = createServer((near) => {
    const faults = healed ? [] : faultsOf(passed.length);
    const counted = { asked: 0, answered: 0 };
    passed.push(counted);
    const far = connect(endpointOf(targetServer));
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('close', () => sockets.delete(socket));
      // `pass` notices that it is gone.
      socket.on('error', () => {});
    }
    void pass('asked', near, far, near, faults.filter(isByteFault), counted);
    const answers = edit(far, faults.filter(isMessageFault), happens);
    void pass('answered', far, near, answers, faults.filter(isByteFault), counted);
  });

  /** Whether a fault may happen now. It then counts. */
  function happens({ kind }: Fault): boolean {
    if (!healed) inflicted.set(kind, (inflicted.get(kind) ?? 0) + 1);
    return !healed;
  }

  async function pass(
    way: Way,
    from: Socket,
    to: Socket,
    pieces: AsyncIterable<Buffer>,
    faults: ByteFault[],
    counted: Record<Way, number>,
  ): Promise<void> {
    const ahead = faults.filter((fault) => fault.way === way).sort((one, other) => one.at - other.at);
    const write = (bytes: Buffer) => {
      counted[way] += bytes.length;
      if (bytes.length > 0 && to.writable && !silent.has(from)) to.write(bytes);
    };
    try {
      for await (let rest of pieces) {
        while (ahead[0] && ahead[0].at <= counted[way] + rest.length) {
          const fault = ahead.shift();
          if (!fault || !happens(fault)) break;
          const before = Math.max(0, fault.at - counted[way]);
          write(rest.subarray(0, before));
          rest = rest.subarray(before);
          switch (fault.kind) {
            case 'cut':
              from.destroy();
              to.destroy();
              return;
            case 'silence':
              silent.add(from);
              break;
            case 'delay':
              await pause(fault.ms);
              break;
            case 'dribble':
              for (const byte of rest.subarray(0, fault.bytes)) {
                write(Buffer.of(byte));
                await nextTurn();
              }
              rest = rest.subarray(fault.bytes);
          }
        }
        write(rest);
      }
      to.end();
    } catch {
      to.destroy();
    }
  }

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const own = await listen(server, target);
  return {
    address: own.address,
    inflicted,
    passed,
    cut,
    heal() {
      healed = true;
      for (const socket of silent) socket.destroy();
    },
    async close() {
      healed = true;
      cut();
      server.close();
      await once(server, 'close');
      await own.remove();
    },
  };
}

const isByteFault = (fault: Fault): fault is ByteFault => 'way' in fault;
const isMessageFault = (fault: Fault): fault is MessageFault => !isByteFault(fault);

const headerBytes = 5;

/** Forwards a server's messages, with those of the faults among them. Ends where the server shuts down. */
async function* edit(
  pieces: AsyncIterable<Buffer>,
  faults: MessageFault[],
  happens: (fault: Fault) => boolean,
): AsyncGenerator<Buffer> {
  if (faults.length === 0) return yield* pieces;
  const due = (counted: number, ...wanted: FaultKind[]) => {
    const index = faults.findIndex(({ kind, at }) => wanted.includes(kind) && at <= counted);
    const [fault] = index < 0 ? [] : faults.splice(index, 1);
    return fault && happens(fault) ? fault.kind : undefined;
  };
  let rest = Buffer.alloc(0);
  let messages = 0;
  let rows = 0;
  let status = 'I';
  let failed = false;
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    const out: Buffer[] = [];
    while (rest.length >= headerBytes && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
      rest = rest.subarray(message.length);
      const type = message.toString('latin1', 0, 1);
      if (type === 'Z') {
        status = message.toString('latin1', headerBytes);
        failed = false;
      }
      if (failed) continue;
      if (type === 'D' && status === 'I' && due(rows, 'error')) {
        failed = true;
        out.push(errorResponse('E', 'ERROR', proxyErrorCode));
        continue;
      }
      if (type === 'D') rows += 1;
      messages += 1;
      out.push(message);
      for (let kind = due(messages, 'notice', 'parameter'); kind; kind = due(messages, 'notice', 'parameter'))
        out.push(kind === 'notice' ? errorResponse('N', 'NOTICE', '00000') : parameterStatus());
      if (due(messages, 'shutdown')) {
        yield Buffer.concat([...out, errorResponse('E', 'FATAL', '57P01')]);
        return;
      }
    }
    yield Buffer.concat(out);
  }
}

const text = (string: string): Buffer => Buffer.from(`${string}\0`);

/** A message of the server. Source: PostgreSQL documentation, "Message Formats". */
function message(type: string, ...fields: Buffer[]): Buffer {
  const body = Buffer.concat(fields);
  const header = Buffer.alloc(headerBytes, type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const errorResponse = (type: 'E' | 'N', severity: string, code: string): Buffer =>
  message(
    type,
    text(`S${severity}`),
    text(`V${severity}`),
    text(`C${code}`),
    text('Mmade by the proxy'),
    Buffer.of(0),
  );

const parameterStatus = (): Buffer => message('S', text('application_name'), text('changed'));

function endpointOf({
  host = '',
  port = 0,
}: ServerAddress): { path: string } | { host: string; port: number } {
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
}

/** Listens at an address that can replace the target's for a client. */
async function listen(
  server: ReturnType<typeof createServer>,
  target: DatabaseAddress,
): Promise<{ address: DatabaseAddress; remove(): Promise<void> }> {
  if (target.isEmbedded) {
    const directory = await mkdtemp(join(tmpdir(), 'patchbay-proxy-'));
    const socketPath = join(directory, '.s.PGSQL.5432');
    server.listen(socketPath);
    await once(server, 'listening');
    return { address: embeddedAddress(socketPath), remove: () => rm(directory, { recursive: true }) };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('no loopback port is free');
  const servers = target.servers.map((from) => ({ ...from, host: '127.0.0.1', port: own.port }));
  return { address: { ...target, servers }, remove: async () => {} };
}
