import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Refused } from '../lib/problem.ts';
import { reporting } from './report.ts';

export function addScenarioCommands(program: Command): void {
  program
    .command('scenario')
    .description('scenarios that a chat can follow')
    .command('import <file>')
    .description('add the scenario of a JSON file, or replace the one of the same name')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, path: string, options: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { importScenario } = await import('../scenarios/import.ts');
        const project = await knownProject(tools, options.project);
        const file = await readFile(path).catch((error: Error) => {
          throw new Refused(`The file ${path} cannot be read: ${error.message}`);
        });
        const scenario = await importScenario(tools, { projectId: project.id, file });
        return {
          json: { id: scenario.id, name: scenario.name },
          text: `Scenario "${scenario.name}" is in "${project.name}", with the id ${scenario.id}.`,
        };
      }),
    );
}
