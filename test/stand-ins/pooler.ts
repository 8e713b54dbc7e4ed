import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { DatabaseAddress } from '../../src/platform/database/server-address.ts';
import type { Lifetime } from '../harness.ts';

const keyData = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12]);

/** The address of a pooler before the server. Like PgBouncer, it gives clients its own process ids. */
export async function poolerBefore(lifetime: Lifetime, address: DatabaseAddress): Promise<DatabaseAddress> {
  const [target] = address.servers;
  const pooler = createServer((client) => {
    const server = connect({ host: target?.host ?? '', port: target?.port ?? 0 });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(server);
    let isGreeted = false;
    server.on('data', (bytes) => {
      const at = isGreeted ? -1 : bytes.indexOf(keyData);
      if (at >= 0) {
        bytes.writeUInt32BE(0x7fffffff, at + keyData.length);
        isGreeted = true;
      }
      client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  lifetime.after(async () => void pooler.close());
  const own = pooler.address();
  if (own === null || typeof own === 'string') throw new Error('no loopback port is free');
  const servers = address.servers.map((from) => ({ ...from, host: '127.0.0.1', port: own.port }));
  return { ...address, servers };
}
