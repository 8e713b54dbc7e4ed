import type { Command } from 'commander';
import type { Config } from '../platform/config.ts';
import type { FileKey } from '../platform/secrets/sealed-file.ts';
import { readSecret } from './read-secret.ts';
import { print, tellProgress } from './report.ts';

type Options = { passphraseStdin?: true };

export function addBackupCommands(program: Command): void {
  withKey(program.command('backup <file>'))
    .description('write an encrypted copy of the database and its files; works beside a running server')
    .action(async function (this: Command, path: string, options: Options) {
      const { loadConfig } = await import('../platform/config.ts');
      const { backUp } = await import('./back-up.ts');
      const config = loadConfig();
      const { notes, ...saved } = await backUp(config, path, await keyFor(config, options));
      const size = `${(saved.bytes / 10 ** 6).toFixed(1)} MB`;
      print(this, {
        json: { file: path, ...saved },
        text: `${path} has ${saved.rows} rows and ${saved.files} files (${size}).`,
        notes: ['Keep the secret key, too, but not beside the backup: a restore needs it.', ...notes],
      });
    });
  withKey(program.command('restore <file>'))
    .description('load a backup into an empty database, embedded or on a server')
    .action(async function (this: Command, path: string, options: Options) {
      const { loadConfig } = await import('../platform/config.ts');
      const { restore } = await import('./restore.ts');
      const config = loadConfig();
      const restored = await restore(config, path, await keyFor(config, options), tellProgress);
      print(this, {
        json: { file: path, ...restored },
        text: `${restored.rows} rows and ${restored.files} files are restored.`,
        notes: [
          'Messages that wait are sent when the service starts. Never start it beside the one that was backed up.',
        ],
      });
    });
}

const withKey = (command: Command): Command =>
  command.option(
    '--passphrase-stdin',
    'encrypt with the passphrase on standard input, instead of PATCHBAY_SECRET_KEY',
  );

const keyFor = async ({ secretKey }: Config, { passphraseStdin }: Options): Promise<FileKey> =>
  passphraseStdin ? { passphrase: await readSecret() } : { secretKey };
