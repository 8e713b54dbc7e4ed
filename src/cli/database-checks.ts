import { readdir } from 'node:fs/promises';
import { findUnsettled } from '../access/operators/settle-addresses.ts';
import { type ClosedChannel, listChannels } from '../channels/connected/channels.ts';
import type { Config } from '../platform/config.ts';
import type { Pool, Sql } from '../platform/database/database.ts';
import { migrationsDirectory } from '../platform/database/migrate.ts';
import { errorText } from '../platform/error-text.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import { lastRuns } from '../platform/jobs/store.ts';
import { CannotOpen, createVault, type Vault } from '../platform/secrets/vault.ts';
import { type Check, failed, ok, warning } from './checks.ts';
import { countConnections, readAppliedMigrations, readServerVersion } from './doctor-store.ts';

const oldestPostgres = 15;

export async function checkDatabase(sql: Sql): Promise<Check> {
  const version = await readServerVersion(sql);
  if (version >= oldestPostgres) return ok('database', `PostgreSQL ${version} answers`);
  return failed(
    'database',
    `This is PostgreSQL ${version}.`,
    `Upgrade the server to PostgreSQL ${oldestPostgres} or newer.`,
  );
}

/** Connections of a process beside its pool: three for long statements, and one for LISTEN. */
const besidePool = 4;

/** Whether the server has room for one more process. */
export async function checkConnections(sql: Sql, { databasePoolSize }: Config): Promise<Check> {
  const { open, ours, most } = await countConnections(sql);
  const wanted = databasePoolSize + besidePool;
  const detail = `a process opens up to ${wanted}; ${open} of ${most} are open, ${ours} of them by Patchbay`;
  if (open + wanted <= most) return ok('connections', detail);
  return warning(
    'connections',
    `${detail}.`,
    'Raise max_connections of the server, lower DATABASE_POOL_SIZE, or use PgBouncer.',
  );
}

export async function checkMigrations(sql: Sql): Promise<Check> {
  const applied = await readAppliedMigrations(sql);
  const files = (await readdir(migrationsDirectory)).filter((name) => name.endsWith('.sql'));
  const waiting = files.filter((name) => !applied.includes(name)).sort();
  const foreign = applied.filter((name) => !files.includes(name)).sort();
  if (foreign.length > 0) {
    return failed(
      'migrations',
      `The database belongs to a newer version: it has ${foreign.join(', ')}.`,
      'Run that version, or restore a database backup from before the upgrade.',
    );
  }
  if (waiting.length === 0) return ok('migrations', 'all are applied');
  return warning(
    'migrations',
    `${waiting.join(', ')} waits.`,
    'Run: patchbay migrate. The next start also applies them.',
  );
}

/** Opens the sealed settings of every channel. */
export async function checkChannels(sql: Pool, { secretKey }: Config): Promise<Check[]> {
  const name = 'secret key';
  let vault: Vault;
  try {
    vault = createVault(secretKey);
  } catch (error) {
    return [failed(name, errorText(error), 'Set PATCHBAY_SECRET_KEY to a longer key.')];
  }
  const { open, closed } = await listChannels({ sql, vault });
  const [sealed, newer] = [closed.filter(isSealed), closed.filter((one) => !isSealed(one))];
  return [
    sealed.length > 0 ? otherKey(sealed, open.length) : ok(name, openedBy(open.length)),
    ...newer.map(({ id, error }) =>
      warning('channel', `${id}: ${error.message}`, 'It works again with the release that added it.'),
    ),
  ];
}

const isSealed = ({ error }: ClosedChannel): boolean => error instanceof CannotOpen;

const openedBy = (channels: number): string =>
  channels > 0 ? 'decrypts the settings of every channel' : 'is long enough; no settings are encrypted yet';

function otherKey(sealed: readonly ClosedChannel[], opened: number): Check {
  const which = opened === 0 ? 'the channels' : sealed.map(({ id }) => `channel ${id}`).join(', ');
  return failed(
    'secret key',
    `The settings of ${which} were encrypted with another key.`,
    'Restore PATCHBAY_SECRET_KEY, or the file secret.key in the data folder, to the key that encrypted them.',
  );
}

/** Finds pairs of accounts whose addresses became equal, and addresses that cannot get mail. */
export async function checkAddresses(sql: Sql): Promise<Check> {
  const name = 'addresses';
  const unsettled = await findUnsettled(sql);
  if (unsettled.length === 0) return ok(name, 'every account is found by its address');
  return warning(
    name,
    `Password sign-in is impossible for ${unsettled.join(', ')}: the address is invalid, or another account uses it in another spelling.`,
    'Remove these people from their projects under Team, then invite the correct address.',
  );
}

/** One check a job: its period, its last run, and that run's error. */
export async function checkJobs(sql: Sql, jobs: readonly Job[]): Promise<Check[]> {
  const runs = new Map((await lastRuns(sql)).map((run) => [run.name, run]));
  return jobs.map(({ name, everyMs }) => {
    const run = runs.get(name);
    const job = `${name}, every ${everyMs / 60_000} min`;
    if (!run) return ok('job', `${job}: has not run yet`);
    if (run.error === null) return ok('job', `${job}: last begun ${run.began_at.toISOString()}`);
    return warning(
      'job',
      `${job}: failed at ${run.ended_at?.toISOString()}: ${run.error}`,
      'Nothing is lost: the next run does its work too. The log has the error of each run.',
    );
  });
}
