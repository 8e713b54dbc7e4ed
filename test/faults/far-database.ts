import { pino } from 'pino';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Lifetime } from '../harness.ts';
import { type PrivateServer, postgresBinaries } from '../postgres.ts';
import { startProxy, type TcpProxy } from '../proxy.ts';
import { addressOf, startTestServer, templateName } from '../test-server.ts';
import { homeAt } from './home.ts';

/** A separate server that programs reach through a proxy. The test bypasses it, and so does a program with `near`. */
export async function startFarDatabase(lifetime: Lifetime) {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('PostgreSQL binaries not found');
  const server = await startTestServer(binaries);
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  lifetime.after(async () => {
    await proxy.close();
    await server.remove();
  });
  const databaseUrl = addressOf(server.url, templateName);
  const far = new URL(databaseUrl);
  far.port = String(proxy.port);
  const home = homeAt({
    environment: { DATABASE_URL: far.href },
    async look(at) {
      const { sql, close } = await openDatabase({ databaseUrl, dataDir: '', log: pino({ level: 'silent' }) });
      try {
        return await at(sql);
      } finally {
        await close();
      }
    },
  });
  return { server, proxy, home, near: { DATABASE_URL: databaseUrl } };
}

/** Takes the database away. The returned function brings it back, except for the proxy's part. */
export type Outage = (server: PrivateServer, proxy: TcpProxy) => Promise<() => Promise<void>>;

export const outages = {
  'the server is stopped': async (server, proxy) => {
    await server.stop();
    return () => restart(server, proxy);
  },
  'the server is killed': async (server, proxy) => {
    await server.kill();
    return () => restart(server, proxy);
  },
  'the network swallows everything': async (_server, proxy) => {
    proxy.freeze();
    return async () => {};
  },
} satisfies Record<string, Outage>;

/** The proxy stays frozen, so that the test can look at the work in flight. */
async function restart(server: PrivateServer, proxy: TcpProxy): Promise<void> {
  proxy.freeze();
  await server.start();
}
