import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Refused } from '../platform/problem.ts';
import type { Names } from '../scenarios/names.ts';
import { print, reporting } from './report.ts';

export function addScenarioCommands(program: Command): void {
  const scenario = program.command('scenario').description('scenarios that a chat can follow');
  addImport(scenario);
  addExport(scenario);
  addList(scenario);
  addSchema(scenario);
  addRun(scenario);
}

function addImport(scenario: Command): void {
  scenario
    .command('import <file>')
    .description('add a scenario from a JSON file; an existing name gets a new version')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, path: string, options: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { createOutbound } = await import('../platform/outbound/outbound.ts');
        const { importScenario } = await import('../scenarios/import.ts');
        const project = await knownProject(tools, options.project);
        const outbound = createOutbound({ allow: tools.config.allowOutbound, log: tools.log });
        const file = await readWhole(path);
        const imported = await importScenario({ ...tools, outbound }, { projectId: project.id, file });
        const { id, name, version, missing } = imported;
        return {
          json: imported,
          text: [
            `Scenario "${name}" is saved in "${project.name}" as version ${version}, with the id ${id}.`,
            ...absences(missing),
          ].join('\n'),
        };
      }),
    );
}

function addExport(scenario: Command): void {
  scenario
    .command('export <scenario>')
    .description('print a scenario, given by its name or id, as a JSON file')
    .requiredOption('--project <uuid>', 'the project')
    .option('--version <number>', 'the version to print')
    .action(
      reporting(async (tools, key: string, options: { project: string; version?: string }) => {
        const { knownProject } = await import('./known.ts');
        const { exportScenario } = await import('../scenarios/export.ts');
        const { id } = await knownProject(tools, options.project);
        const definition = await exportScenario(tools, id, key, options.version);
        return { json: definition, text: JSON.stringify(definition, null, 2) };
      }),
    );
}

function addList(scenario: Command): void {
  scenario
    .command('list')
    .description('list the scenarios of a project')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, options: { project: string }) => {
        const { knownProject } = await import('./known.ts');
        const { listScenarios } = await import('../scenarios/store.ts');
        const { id } = await knownProject(tools, options.project);
        const scenarios = await listScenarios(tools.sql, id);
        const lines = scenarios.map(
          ({ id, name, version, running }) =>
            `  ${id}  "${name}", version ${version}, ${running} running chat${running === 1 ? '' : 's'}`,
        );
        return {
          json: { scenarios },
          text: [lines.length === 0 ? 'No scenarios yet.' : 'Scenarios:', ...lines].join('\n'),
        };
      }),
    );
}

function addSchema(scenario: Command): void {
  scenario
    .command('schema')
    .description("print the JSON Schema of a scenario's file")
    .action(async function (this: Command) {
      const { ScenarioSchema } = await import('../scenarios/schema.ts');
      print(this, { json: ScenarioSchema, text: JSON.stringify(ScenarioSchema, null, 2) });
    });
}

function addRun(scenario: Command): void {
  scenario
    .command('run <file...>')
    .description(
      'run a scenario with a script and print the transcript; further files are scenarios that it continues in',
    )
    .requiredOption('--script <file>', 'the events and expectations; - reads standard input')
    .action(async function (this: Command, paths: string[], options: { script: string }) {
      const { playFiles } = await import('../scenarios/play-files.ts');
      const files = await Promise.all(paths.map(readWhole));
      const { transcript, failures } = playFiles(files, await readWhole(options.script));
      const passed = failures.length === 0;
      print(this, {
        json: { passed, transcript, failures },
        text: [
          ...transcript,
          passed ? 'All expectations are met.' : `Failed expectations: ${failures.length}.`,
        ].join('\n'),
      });
      if (!passed) process.exitCode = 1;
    });
}

/** The objects that a person should make before clients get there. */
function absences({ promocode_groups, scenarios, attributes, tags }: Names): string[] {
  const kinds: [what: string, names: readonly string[]][] = [
    ['group of promo codes', promocode_groups],
    ['scenario', scenarios],
    ['attribute', attributes],
    ['tag', tags],
  ];
  return kinds.flatMap(([what, names]) => names.map((name) => `The project has no ${what} "${name}" yet.`));
}

async function readWhole(path: string): Promise<Buffer> {
  if (path === '-') return Buffer.from(await readAll(process.stdin));
  return readFile(path).catch((error: Error) => {
    throw new Refused(`The file ${path} cannot be read: ${error.message}`);
  });
}
