import type { Command } from 'commander';
import type { Config } from '../platform/config.ts';
import { errorText } from '../platform/error-text.ts';
import type { Check } from './checks.ts';
import { print } from './report.ts';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this installation and print a remedy for each problem')
    .action(async function (this: Command) {
      const checks = await examine();
      const isWell = checks.every(({ state }) => state !== 'failed');
      print(this, { json: { ok: isWell, checks }, text: checks.map(describe).join('\n') });
      if (!isWell) process.exitCode = 1;
    });
}

async function examine(): Promise<Check[]> {
  const { ConfigError, loadConfig } = await import('../platform/config.ts');
  const { checkNode, failed, ok, ...checks } = await import('./checks.ts');
  const node = checkNode(process.versions.node);
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      node,
      failed(
        'settings',
        error.message,
        'Correct the environment or the .env file; .env.example describes it.',
      ),
    ];
  }
  return [
    node,
    ok('settings', 'can be read'),
    checks.checkDataFolder(config),
    ...(await examineDatabase(config)),
    checks.checkPublicUrl(config),
    await checks.checkPort(config),
    checks.checkProxies(config),
    checks.checkAllowList(config),
  ];
}

async function examineDatabase(config: Config): Promise<Check[]> {
  const { failed } = await import('./checks.ts');
  const { checkAddresses, checkChannels, checkConnections, checkDatabase, checkJobs, checkMigrations } =
    await import('./database-checks.ts');
  const { checkHealth } = await import('./channel-checks.ts');
  const { housekeeping } = await import('../housekeeping.ts');
  const { openDatabase } = await import('../platform/database/database.ts');
  const { commandLog } = await import('./tools.ts');
  try {
    const database = await openDatabase({ ...config, log: commandLog() });
    try {
      const migrations = await checkMigrations(database.sql);
      const contents =
        migrations.state === 'ok'
          ? [
              ...(await checkChannels(database.sql, config)),
              await checkAddresses(database.sql),
              ...(await checkHealth(database.sql, new Date())),
              ...(await checkJobs(database.sql, housekeeping)),
            ]
          : [];
      const connections = config.databaseUrl ? [await checkConnections(database.sql, config)] : [];
      return [await checkDatabase(database.sql), ...connections, migrations, ...contents];
    } finally {
      await database.close();
    }
  } catch (error) {
    const remedy = config.databaseUrl
      ? 'Check DATABASE_URL and that the server runs.'
      : 'Check PATCHBAY_DATA_DIR.';
    return [failed('database', errorText(error), remedy)];
  }
}

function describe({ name, state, detail, remedy }: Check): string {
  const mark = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }[state];
  const line = `${mark}  ${name.padEnd(11)}  ${detail}`;
  return remedy === null ? line : `${line}\n${' '.repeat(22)}${remedy}`;
}
