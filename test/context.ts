import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import type { Clock } from '../src/platform/clock.ts';
import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { createOutbound } from '../src/platform/outbound/outbound.ts';
import { createVault } from '../src/platform/secrets/vault.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';

/** A context for one feature, without the rest of the program. Calls may go to loopback. */
export function testContext({ sql }: Pick<Database, 'sql'>, clock: Clock): Context {
  const log = pino({ level: 'silent' });
  const allowOutbound = ['127.0.0.0/8'];
  const secretKey = randomBytes(32).toString('base64');
  return {
    config: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: 'https://patchbay.test',
      databaseUrl: null,
      databaseListenUrl: null,
      databasePoolSize: 8,
      diskReserveBytes: 0,
      dataDir: tmpdir(),
      s3: null,
      projectStorageBytes: 2 ** 30,
      secretKey,
      allowOutbound,
      trustedProxies: [],
      smtp: null,
      hasDemo: true,
      projectsBy: 'owners',
      roles: ['api'],
      metrics: null,
      traces: null,
      logLevel: 'silent',
    },
    sql,
    clock,
    newId: () => uuidv7(clock.now()),
    vault: createVault(secretKey),
    outbound: createOutbound({ allow: allowOutbound, log }),
    wake: {
      wake: () => {},
      subscribe: () => () => {},
      tell: () => {},
      hear: () => () => {},
      close: async () => {},
    },
    log,
    metrics: createMetrics(),
    traces: null,
  };
}
