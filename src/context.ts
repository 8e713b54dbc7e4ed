import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Outbound } from './lib/outbound.ts';
import type { Vault } from './lib/vault.ts';
import type { Pool } from './storage/database.ts';
import type { Wake } from './storage/wake.ts';

/** What an action needs of the world. Built once by `service.ts`, passed explicitly. */
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
};
