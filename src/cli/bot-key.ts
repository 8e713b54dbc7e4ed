import type { Command } from 'commander';
import { listing, reporting } from './report.ts';

export function addBotKeyCommands(program: Command): void {
  program
    .command('bot-key')
    .description('keys that act for a whole project')
    .command('create')
    .description('make another bot key')
    .requiredOption('--project <uuid>', 'the project')
    .option('--name <name>', 'whom or what the key is for', 'command line')
    .action(
      reporting(async (tools, options: { project: string; name: string }) => {
        const { knownProject } = await import('./known.ts');
        const { createBotKey } = await import('../access/projects/bot-keys.ts');
        const project = await knownProject(tools, options.project);
        const { key } = await createBotKey(tools, { projectId: project.id, name: options.name });
        return {
          json: { bot_key: key },
          text: listing(`A bot key for "${project.name}". It is shown this once.`, { 'bot key': key }),
        };
      }),
    );
}
