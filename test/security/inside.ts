import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Lifetime } from '../harness.ts';

/** Spellings of internal addresses, each of which has once bypassed some program's guard. */
export const insideAddresses = (port: number): string[] => [
  ...hosts.map((host) => `http://${host}:${port}/hook`),
  ...hosts.slice(0, 3).map((host) => `https://${host}:${port}/hook`),
  `http://user:password@127.0.0.1:${port}/`,
  `http://shop.example:80@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@shop.example/`,
  `http://127.0.0.1:${port}?@shop.example/`,
];

const hosts = [
  ...[
    '127.0.0.1',
    'localhost',
    '[::1]',
    'LOCALHOST',
    'localhost.',
    'db.localhost',
    '127.0.0.1.',
    '127.1',
    '127.255.255.254',
  ],
  ...[
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...[
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '169.254.169.254',
    '0xa9fea9fe',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[fe80::1]',
    '[fd00::1]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
  ],
];

/** An internal target that must never be reached: a server on every address of this machine. */
export async function startCanary(lifetime: Lifetime): Promise<{ port: number; reached: () => number }> {
  let reached = 0;
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  }).listen(0);
  await once(server, 'listening');
  lifetime.after(async () => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the canary has no port');
  return { port: address.port, reached: () => reached };
}

/** The addresses to which this process has tried to connect, reached or not: `127.0.0.1:80`. */
export function watchConnections(lifetime: Lifetime): string[] {
  const tried: string[] = [];
  const watch = (message: unknown): void => {
    // The only message on this channel.
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (ip?: string, port?: number) => {
      // A socket of the file system has neither.
      if (ip !== undefined && port !== undefined) tried.push(`${ip}:${port}`);
    });
  };
  subscribe('net.client.socket', watch);
  lifetime.after(async () => void unsubscribe('net.client.socket', watch));
  return tried;
}
