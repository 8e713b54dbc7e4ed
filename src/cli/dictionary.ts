import type { Command } from 'commander';
import { reporting } from './report.ts';

export function addDictionaryCommands(program: Command): void {
  program
    .command('tag')
    .description('manage the tags of profiles')
    .command('add <name>')
    .description('define a tag')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, name: string, options: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { addTag } = await import('../clients/profiles/dictionary.ts');
        const project = await knownProject(tools, options.project);
        await addTag(tools, { projectId: project.id, name });
        return { json: { name }, text: `Profiles of "${project.name}" can have the tag "${name}".` };
      }),
    );

  program
    .command('attribute')
    .description('manage the attributes of profiles')
    .command('add <name>')
    .description('define an attribute')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, name: string, options: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { addAttribute } = await import('../clients/profiles/dictionary.ts');
        const project = await knownProject(tools, options.project);
        await addAttribute(tools, { projectId: project.id, name });
        return { json: { name }, text: `Profiles of "${project.name}" can have the attribute "${name}".` };
      }),
    );
}
