import { type Command, Option } from 'commander';
import type { Approval } from '../messaging/templates/store.ts';
import { reporting } from './report.ts';

type Options = { project: string; pid: string; body: string; language: string; approval: Approval };

export function addTemplateCommands(program: Command): void {
  const template = program.command('template').description('manage WhatsApp templates');
  template
    .command('add')
    .description('add a template, or replace the template with the same pid')
    .requiredOption('--project <uuid>', 'the project')
    .requiredOption('--pid <pid>', 'the name under which partners know it')
    .requiredOption('--body <text>', 'its text; variables are written {{name}}')
    .option('--language <code>', 'the language of the approved template', 'en')
    .addOption(
      new Option('--approval <state>', "WhatsApp's decision")
        .choices(['approved', 'pending', 'rejected'])
        .default('approved'),
    )
    .action(
      reporting(async (tools, { project, ...options }: Options) => {
        const { knownProject } = await import('./known.ts');
        const { addTemplate } = await import('../messaging/templates/templates.ts');
        const { id: projectId, name } = await knownProject(tools, project);
        const template = await addTemplate(tools, { ...options, projectId });
        const variables = template.variables.join(', ') || 'no variables';
        return {
          json: { pid: template.pid },
          text: `Template "${template.pid}" is saved in "${name}": ${variables}.`,
        };
      }),
    );
  template
    .command('list')
    .description('list the templates of a project')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, { project }: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { listTemplates } = await import('../messaging/templates/store.ts');
        const { id, name } = await knownProject(tools, project);
        const templates = await listTemplates(tools.sql, id);
        const lines = templates.map(
          ({ pid, language, approval, body }) => `${pid} (${language}, ${approval}): ${body}`,
        );
        return { json: { templates }, text: lines.join('\n') || `"${name}" has no templates.` };
      }),
    );
}
