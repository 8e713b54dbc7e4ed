import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on a loopback port, which can simulate a failing network. */
export type TcpProxy = {
  port: number;
  /** Accepts connections and bytes, and forwards nothing: to either side the other has vanished. */
  freeze(): void;
  /** Forwards new connections and bytes. Those of the frozen time are lost, with their connections. */
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
