import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems take ports for connections from above these: Linux from 32768, others from 49152. */
const lowest = 16_384;
const ports = 16_384;

/** Test processes that run at once begin at places of their own. */
let next = process.pid * 16;

/**
 * A loopback port that is free now, for programs that cannot choose one. Nothing else takes it before the program
 * does: no connection, no server that lets the system choose, and no other test.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports; tries += 1) {
    const port = lowest + (next % ports);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('no loopback port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!listens) return false;
  server.close();
  await once(server, 'close');
  return true;
}
