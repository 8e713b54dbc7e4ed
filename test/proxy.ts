import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on a loopback port, which can play a network that goes wrong. */
export type TcpProxy = {
  port: number;
  /** Takes connections and bytes, and passes nothing on: to either side the other has vanished. */
  freeze(): void;
  /** Passes on what comes from now on. What came meanwhile is lost, with its connections. */
  thaw(): void;
  close(): Promise<void>;
};

export async function startProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(target);
    pass(near, far);
    pass(far, near);
  });
  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!frozen) to.write(bytes);
    });
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
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
