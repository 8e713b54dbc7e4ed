import type { Command } from 'commander';
import { print, tellProgress } from './report.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('apply pending migrations; serve and all other commands do this automatically')
    .action(async function (this: Command) {
      const { loadConfig } = await import('../platform/config.ts');
      const { commandLog, openMigrated } = await import('./tools.ts');
      const { database, applied } = await openMigrated(loadConfig(), commandLog(), tellProgress);
      await database.close();
      const text = applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
      print(this, { json: { applied }, text });
    });
}
