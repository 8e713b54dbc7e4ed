import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { reporting } from './report.ts';

type Settings = Record<string, string>;

export type AddChannelOptions = { project: string; name: string; set: Settings };

export function addChannelCommands(program: Command): void {
  const channel = program.command('channel').description('manage the messengers of a project');
  addAdd(channel);
  addLogin(channel);
}

function addLogin(channel: Command): void {
  channel
    .command('login <uuid>')
    .description('log in to the account of a channel')
    .action(
      reporting(async (tools, uuid: string) => {
        const { logInByCommand } = await import('./log-in-channel.ts');
        return logInByCommand(tools, uuid);
      }),
    );
}

function addAdd(channel: Command): void {
  channel
    .command('add <platform>')
    .description('connect a messenger')
    .requiredOption('--project <uuid>', 'the project')
    .requiredOption('--name <name>', 'what the channel is called')
    .option(
      '--set <key=value>',
      'a setting of the channel; may be repeated. @file reads the value from a file and - from standard input, so that secrets stay off the command line; @@ is an @',
      collectSetting,
      {},
    )
    .action(
      reporting(async (tools, platform: string, options: AddChannelOptions) => {
        const { addChannelByCommand } = await import('./add-channel.ts');
        return addChannelByCommand(tools, platform, options);
      }),
    );
}

function collectSetting(text: string, earlier: Settings): Settings {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as key=value.');
  return { ...earlier, [text.slice(0, at)]: settingFrom(text.slice(at + 1)) };
}

/** Other programs can see the command line of a running one. */
function settingFrom(text: string): string {
  if (text.startsWith('@@')) return text.slice(1);
  if (text === '-') return withoutLineEnd(readFileSync(0, 'utf8'));
  if (!text.startsWith('@')) return text;
  try {
    return withoutLineEnd(readFileSync(text.slice(1), 'utf8'));
  } catch {
    throw new InvalidArgumentError(`The file ${text.slice(1)} cannot be read.`);
  }
}

const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');
