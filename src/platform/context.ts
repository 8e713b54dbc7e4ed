import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Pool } from './database/database.ts';
import type { Wake } from './database/wake.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Vault } from './secrets/vault.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Traces } from './telemetry/traces.ts';

/** What an action needs from outside. `service.ts` builds it once and passes it explicitly. */
export type Context = {
  config: Config;
  sql: Pool;
  clock: Clock;
  /** A fresh UUIDv7. */
  newId: () => string;
  vault: Vault;
  outbound: Outbound;
  wake: Wake;
  log: Logger;
  metrics: Metrics;
  /** Null: tracing is off. */
  traces: Traces | null;
};
