import { Command, CommanderError } from 'commander';
import { addAppCommands } from './app.ts';
import { addArchiveCommands } from './archive.ts';
import { addBackupCommands } from './backup.ts';
import { addBotKeyCommands } from './bot-key.ts';
import { addChannelCommands } from './channel.ts';
import { addDictionaryCommands } from './dictionary.ts';
import { addDoctorCommand } from './doctor.ts';
import { addMigrateCommand } from './migrate.ts';
import { addProjectCommands } from './project.ts';
import { addRetentionCommands } from './retention.ts';
import { addScenarioCommands } from './scenario.ts';
import { addServeCommand } from './serve.ts';
import { addSimulatorCommands } from './simulator.ts';
import { addTemplateCommands } from './template.ts';
import { addTokenCommands } from './token.ts';
import { addUserCommands } from './user.ts';

const groups = [
  addServeCommand,
  addSimulatorCommands,
  addMigrateCommand,
  addDoctorCommand,
  addBackupCommands,
  addRetentionCommands,
  addArchiveCommands,
  addProjectCommands,
  addAppCommands,
  addUserCommands,
  addTokenCommands,
  addBotKeyCommands,
  addChannelCommands,
  addScenarioCommands,
  addTemplateCommands,
  addDictionaryCommands,
];

/**
 * The `patchbay` command. Standard output carries only the answer. Complaints go to standard error. Sets the exit
 * code: 0 done, 1 refused or failed, 2 wrong usage.
 */
export async function runCommand(argv: string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
}

function createProgram(): Command {
  const program = new Command('patchbay')
    .description('Self-hosted customer messaging. Settings come from the environment and a .env file.')
    .option('--json', 'print one JSON object and nothing else')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(use --help for details)')
    .exitOverride();
  for (const addTo of groups) addTo(program);
  return program;
}

async function exitCodeOf(error: unknown): Promise<number> {
  // Commander has already printed the usage error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { sentenceOf } = await import('./problems.ts');
  const { printable } = await import('../platform/one-line.ts');
  process.stderr.write(`${printable(sentenceOf(error))}\n`);
  return 1;
}
