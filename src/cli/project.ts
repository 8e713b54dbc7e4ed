import type { Command } from 'commander';
import { listing, reporting } from './report.ts';

export function addProjectCommands(program: Command): void {
  const project = program
    .command('project')
    .description('projects: each has its own clients, channels and keys');

  project
    .command('create <name>')
    .description('make a project with its first bot key')
    .action(
      reporting(async (tools, name: string) => {
        const { createProject } = await import('../projects/projects.ts');
        const created = await createProject(tools, { name });
        return {
          json: { uuid: created.id, name: created.name, bot_key: created.botKey },
          text: listing(`Project "${created.name}" is made. Keep the key: it is shown this once.`, {
            uuid: created.id,
            'bot key': created.botKey,
          }),
        };
      }),
    );

  project
    .command('webhook')
    .description("set where the project's own events go")
    .requiredOption('--project <uuid>', 'the project')
    .requiredOption('--url <url>', 'the address that receives the events')
    .requiredOption('--kinds <kinds>', 'MAILING_STATE, MAILING_REACTION or both, with a comma between')
    .action(
      reporting(async (tools, options: { project: string; url: string; kinds: string }) => {
        const { knownProject } = await import('./known.ts');
        const { setProjectWebhook } = await import('../projects/webhook.ts');
        const { id } = await knownProject(tools, options.project);
        const kinds = options.kinds.split(',').map((kind) => kind.trim());
        const webhook = await setProjectWebhook(tools, { projectId: id, url: options.url, kinds });
        return {
          json: webhook,
          text: listing(`${webhook.kinds.join(' and ')} will be delivered to ${webhook.url}.`, {
            'signing secret': webhook.secret,
          }),
        };
      }),
    );
}
