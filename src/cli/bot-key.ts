import type { Command } from 'commander';
import { listing, reporting } from './report.ts';

export function addBotKeyCommands(program: Command): void {
  program
    .command('bot-key')
    .description('manage bot keys; each gives access to a whole project')
    .command('create')
    .description('create a bot key')
    .requiredOption('--project <uuid>', 'the project')
    .option('--name <name>', 'the purpose of the key', 'command line')
    .action(
      reporting(async (tools, options: { project: string; name: string }) => {
        const { knownProject } = await import('./known.ts');
        const { createBotKey } = await import('../access/projects/bot-keys.ts');
        const project = await knownProject(tools, options.project);
        const { key } = await createBotKey(tools, { projectId: project.id, name: options.name });
        return {
          json: { bot_key: key },
          text: listing(`A bot key for "${project.name}". Save it: it is shown only once.`, {
            'bot key': key,
          }),
        };
      }),
    );
}
