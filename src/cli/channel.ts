import { type Command, InvalidArgumentError } from 'commander';
import { reporting } from './report.ts';

type Settings = Record<string, string>;

export type AddChannelOptions = { project: string; name: string; set: Settings };

export function addChannelCommands(program: Command): void {
  program
    .command('channel')
    .description('messengers that a project is connected to')
    .command('add <platform>')
    .description('connect a messenger')
    .requiredOption('--project <uuid>', 'the project')
    .requiredOption('--name <name>', 'what the channel is called')
    .option('--set <key=value>', 'a setting of the channel; may be repeated', collectSetting, {})
    .action(
      reporting(async (tools, platform: string, options: AddChannelOptions) => {
        const { addChannelByCommand } = await import('./add-channel.ts');
        return addChannelByCommand(tools, platform, options);
      }),
    );
}

function collectSetting(text: string, earlier: Settings): Settings {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be written as key=value.');
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}
