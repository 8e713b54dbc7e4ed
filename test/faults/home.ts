import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Context } from '../../src/platform/context.ts';
import { openDatabase, type Pool, type Sql } from '../../src/platform/database/database.ts';
import { createVault } from '../../src/platform/secrets/vault.ts';
import { testContext } from '../context.ts';
import { testDatabase, testDatabaseKind } from '../database.ts';
import { embeddedFolder } from '../embedded-folder.ts';
import { type Call, createPartner, type Lifetime, type Partner } from '../harness.ts';
import type { Environment } from './program.ts';

/** A database that outlives its programs. */
export type Home = {
  /** The environment in which programs find it. */
  environment: Environment;
  /** Reads the database, whether or not a program has it open. */
  look<T>(at: (sql: Pool) => Promise<T>): Promise<T>;
  /** Works on it like a command. */
  within<T>(at: (context: Context) => Promise<T>): Promise<T>;
  /** A project whose clients are reached through a stand-in. `call` reaches a program. */
  addPartner(lifetime: Lifetime, call: Call): Promise<Partner>;
};

/** On a new database, of the kind that the tests run on. */
export async function makeHome(lifetime: Lifetime): Promise<Home> {
  return homeAt(testDatabaseKind === 'server' ? await onServer(lifetime) : inFolder(await embeddedFolder()));
}

/** On an existing database. */
export function homeAt({ environment, look }: Place): Home {
  const secretKey = randomBytes(32).toString('base64');
  const within: Home['within'] = (at) =>
    look((sql) => at({ ...testContext({ sql }, { now: () => new Date() }), vault: createVault(secretKey) }));
  return {
    environment: {
      ...environment,
      PATCHBAY_SECRET_KEY: secretKey,
      PATCHBAY_ALLOW_OUTBOUND: '127.0.0.0/8',
      // The same for all programs, whose ports differ: the links of mailings contain it.
      PUBLIC_URL: 'https://patchbay.test',
    },
    look,
    within,
    addPartner: (ofPartner, call) => within((context) => createPartner(ofPartner, { context, call })),
  };
}

type Place = Pick<Home, 'environment' | 'look'>;

async function onServer(lifetime: Lifetime): Promise<Place> {
  const { longSql, environment } = await testDatabase(lifetime);
  return { environment, look: (at) => at(longSql) };
}

/** On the embedded database of a folder. */
export const homeInFolder = (dataDir: string, environment: Environment): Home => {
  const place = inFolder(dataDir);
  return homeAt({ ...place, environment: { ...place.environment, ...environment } });
};

function inFolder(dataDir: string): Place {
  return {
    environment: { PATCHBAY_DATA_DIR: dataDir },
    async look(at) {
      const { sql, close } = await openDatabase({ dataDir, log: pino({ level: 'silent' }) });
      try {
        return await at(sql);
      } finally {
        await close();
      }
    },
  };
}

/** Messages claimed by a worker, dead or alive. */
export function claims(sql: Sql): Promise<{ id: string; lease: string }[]> {
  return sql`select id, lease from messages where lease is not null`;
}

/** Ends the claims of a dead process, as half a minute would. A living process would lose its claims, too. */
export async function lapseClaims(sql: Sql): Promise<void> {
  const past = new Date(Date.now() - 1000);
  await sql`update messages set due_at = ${past} where state = 'IN_PROCESS' and due_at > ${past}`;
  await sql`update messages set leased_until = ${past} where leased_until > ${past}`;
  await sql`update mailings set due_at = ${past} where lease is not null and due_at > ${past}`;
  await sql`update scenario_runs set due_at = ${past} where lease is not null and due_at > ${past}`;
  await sql`update event_queues set due_at = ${past} where lease is not null and due_at > ${past}`;
  await sql`update idempotency_keys set claimed_until = ${past} where answer is null and claimed_until > ${past}`;
}
