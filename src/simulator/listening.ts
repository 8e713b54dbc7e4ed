import type { Server } from 'node:net';

/** Listens, and returns the port. 0 takes any free one. Throws if the port is taken. */
export async function listenAt(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
