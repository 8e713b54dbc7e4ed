import { pino } from 'pino';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Lifetime } from '../harness.ts';
import { type PrivateServer, postgresBinaries } from '../postgres.ts';
import { startProxy, type TcpProxy } from '../proxy.ts';
import { addressOf, startTestServer, templateName } from '../test-server.ts';
import { homeAt } from './home.ts';

/** A server of its own that is reached through a proxy, and looked at past it. */
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
  return { server, proxy, home };
}

/** Takes the database away; the result gives it back, up to what the proxy keeps away. */
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

/** It is not let go on at once, so that what was under way can be looked at. */
async function restart(server: PrivateServer, proxy: TcpProxy): Promise<void> {
  proxy.freeze();
  await server.start();
}
