import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy on a loopback port, which can simulate a failing network. */
export type TcpProxy = {
  port: number;
  /** Accepts connections and bytes, and forwards nothing: to either side the other has vanished. */
  freeze(): void;
  /** Forwards new connections and bytes. Those of the frozen time are lost, with their connections. */
  thaw(): void;
  /** From now on answers pass in pieces of this many bytes, one in each step. */
  slowDown(pace: { bytes: number; everyMs: number }): void;
  close(): Promise<void>;
};

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let pace = { bytes: Number.POSITIVE_INFINITY, everyMs: 0 };
  const server = createServer((near) => {
    const far = connect(target);
    near.on('data', (bytes) => {
      if (!frozen) far.write(bytes);
    });
    far.on('data', (bytes) => void trickle(far, near, bytes));
    join(near, far);
    join(far, near);
  });
  /** Reads no more from the server until the client has these bytes. */
  async function trickle(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
    from.pause();
    for (let at = 0; at < bytes.length && !to.destroyed; at += pace.bytes) {
      if (pace.everyMs > 0) await delay(pace.everyMs);
      if (!frozen) to.write(bytes.subarray(at, at + pace.bytes));
    }
    from.resume();
  }
  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      if (!frozen) to.destroy();
    });
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no loopback port is free');
  return {
    port: address.port,
    freeze() {
      frozen = true;
    },
    thaw() {
      cut();
      frozen = false;
    },
    slowDown(slower) {
      pace = slower;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
