import { accessSync, constants, mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { parseAllowList } from '../lib/outbound-allow.ts';
import { CannotOpen, createVault } from '../lib/vault.ts';
import { listChannels } from '../projects/channels.ts';
import type { Pool } from '../storage/database.ts';
import { readAppliedMigrations, readServerVersion } from './doctor-store.ts';
import { migrationsDirectory } from './tools.ts';

/** `remedy` is what to do about it; null for what is well. A warning is for what works here and would not elsewhere. */
export type Check = {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  remedy: string | null;
};

const oldestNode = 24;
const oldestPostgres = 15;

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail, remedy: null });

const warning = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: 'warning',
  detail,
  remedy,
});

export const failed = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: 'failed',
  detail,
  remedy,
});

export function checkNode(version: string): Check {
  if (Number.parseInt(version, 10) >= oldestNode) return ok('node', `Node ${version}`);
  return failed(
    'node',
    `This is Node ${version}.`,
    `Start through npm (npm start, npm run patchbay), which brings Node ${oldestNode}.`,
  );
}

export function checkDataFolder({ databaseUrl, dataDir }: Config): Check {
  if (databaseUrl !== null) return ok('data folder', 'not needed beside DATABASE_URL');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok('data folder', `${dataDir} can be written`);
  } catch {
    return failed(
      'data folder',
      `${dataDir} cannot be written.`,
      'Give it to the user that runs Patchbay, or name another one in PATCHBAY_DATA_DIR.',
    );
  }
}

export async function checkDatabase(sql: Pool): Promise<Check> {
  const version = await readServerVersion(sql);
  if (version >= oldestPostgres) return ok('database', `PostgreSQL ${version} answers`);
  return failed(
    'database',
    `This is PostgreSQL ${version}.`,
    `Upgrade the server to PostgreSQL ${oldestPostgres} or newer.`,
  );
}

export async function checkMigrations(sql: Pool): Promise<Check> {
  const applied = await readAppliedMigrations(sql);
  const files = (await readdir(migrationsDirectory)).filter((name) => name.endsWith('.sql'));
  const waiting = files.filter((name) => !applied.includes(name)).sort();
  const foreign = applied.filter((name) => !files.includes(name)).sort();
  if (foreign.length > 0) {
    return failed(
      'migrations',
      `The database is of a newer version: it has ${foreign.join(', ')}.`,
      'Run that version, or restore a copy of the database from before its upgrade.',
    );
  }
  if (waiting.length === 0) return ok('migrations', 'all are applied');
  return warning(
    'migrations',
    `${waiting.join(', ')} waits.`,
    'Run: patchbay migrate. The next start does it too.',
  );
}

/** Opens what is sealed: with another key nothing of it can be read. */
export async function checkSecretKey(sql: Pool, { secretKey }: Config): Promise<Check> {
  const name = 'secret key';
  try {
    const channels = await listChannels({ sql, vault: createVault(secretKey) });
    return ok(
      name,
      channels.length > 0 ? 'opens the settings of every channel' : 'is long enough; nothing is sealed yet',
    );
  } catch (error) {
    if (!(error instanceof CannotOpen))
      return failed(name, messageOf(error), 'Set PATCHBAY_SECRET_KEY to a longer key.');
    return failed(
      name,
      'The settings of the channels were sealed with another key.',
      'Restore PATCHBAY_SECRET_KEY, or the file secret.key of the data folder, as it was when they were added.',
    );
  }
}

export function checkPublicUrl({ publicUrl }: Config): Check {
  const { hostname, protocol } = new URL(publicUrl);
  const name = 'public url';
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) {
    return warning(
      name,
      `${publicUrl} leads nowhere from other machines.`,
      'Set PUBLIC_URL to the address under which partners and messengers reach this service.',
    );
  }
  if (protocol === 'https:') return ok(name, publicUrl);
  return warning(
    name,
    `${publicUrl} is not encrypted.`,
    'Put a proxy with TLS in front, and set PUBLIC_URL to https://…',
  );
}

/** A port that Patchbay itself holds is well: doctor may be asked while the service runs. */
export async function checkPort({ port, host }: Config): Promise<Check> {
  const name = 'port';
  const refusal = await tryToListen(port, host);
  if (refusal === null) return ok(name, `${host}:${port} is free`);
  if (refusal === 'EADDRINUSE' && (await isPatchbay(port, host)))
    return ok(name, `Patchbay is running on ${host}:${port}`);
  return failed(name, `${host}:${port} cannot be listened on: ${refusal}.`, 'Choose another PORT or HOST.');
}

function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

async function isPatchbay(port: number, host: string): Promise<boolean> {
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${reachable}:${port}/healthz`, { signal: AbortSignal.timeout(2000) });
    return answer.status === 200;
  } catch {
    return false;
  }
}

export function checkAllowList({ allowOutbound }: Config): Check {
  const name = 'outbound';
  try {
    parseAllowList(allowOutbound);
    return ok(
      name,
      allowOutbound.length > 0 ? `beyond the internet: ${allowOutbound.join(', ')}` : 'the internet only',
    );
  } catch (error) {
    return failed(
      name,
      messageOf(error),
      'Separate CIDR ranges, addresses and hosts in PATCHBAY_ALLOW_OUTBOUND by commas.',
    );
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
