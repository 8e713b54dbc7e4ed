import { once } from 'node:events';
import type { Command } from 'commander';
import type { Config } from '../platform/config.ts';
import { printable, printableJson } from '../platform/one-line.ts';
import type { Manifest } from '../retention/archive-files.ts';
import { reporting } from './report.ts';

export function addArchiveCommands(program: Command): void {
  const archive = program.command('archive').description('rows that were removed after their retention');
  addList(archive);
  addRead(archive);
}

function addList(archive: Command): void {
  archive
    .command('list')
    .description('list the archives, with the numbers of their rows')
    .option('--project <uuid>', 'of one project')
    .action(
      reporting(async (tools, { project }: { project?: string }) => {
        const { knownProject } = await import('./known.ts');
        const { listArchives } = await import('../retention/archives-store.ts');
        const { archiveName } = await import('../retention/archive-files.ts');
        const id = project === undefined ? null : (await knownProject(tools, project)).id;
        const archives = (await listArchives(tools.sql, id)).map((row) => ({
          name: archiveName(row),
          ...row,
        }));
        const lines = archives.map(
          ({ name, row_count, bytes }) => `${name}  ${row_count} rows  ${bytes} bytes`,
        );
        return { json: { archives }, text: lines.join('\n') || 'There are no archives.' };
      }),
    );
}

/** Needs the stored files only, not the database: an archive may outlive it. */
function addRead(archive: Command): void {
  archive
    .command('read <name>')
    .description('verify an archive, and print its rows as JSON lines')
    .option('--where <field=value...>', 'only rows with this value in this field')
    .action(async (name: string, { where = [] }: { where?: string[] }) => {
      const { loadConfig } = await import('../platform/config.ts');
      const { findManifest } = await import('../retention/archive-files.ts');
      const { Refused } = await import('../platform/problem.ts');
      const config = loadConfig();
      const manifest = await findManifest(config, name);
      if (!manifest) throw new Refused(`There is no archive ${name}. List them with: patchbay archive list`);
      await printRows(config, manifest, where.map(conditionOf));
    });
}

type Condition = (row: Record<string, unknown>) => boolean;

function conditionOf(text: string): Condition {
  const [field = '', ...value] = text.split('=');
  const wanted = value.join('=');
  return (row) => {
    const is = row[field];
    return (typeof is === 'object' && is !== null ? JSON.stringify(is) : String(is)) === wanted;
  };
}

async function printRows(
  config: Config,
  manifest: Manifest,
  conditions: readonly Condition[],
): Promise<void> {
  const { readArchive } = await import('../retention/archive-files.ts');
  const { Refused } = await import('../platform/problem.ts');
  const say = (doubt: string) => void process.stderr.write(`Note: ${printable(doubt)}\n`);
  let number = 0;
  for await (const line of readArchive(config, manifest, say)) {
    number += 1;
    const isChosen = meets(line, conditions);
    if (isChosen === null) throw new Refused(`Line ${number} of the archive is not a row.`);
    if (!isChosen) continue;
    if (!process.stdout.write(`${printableJson(line)}\n`)) await once(process.stdout, 'drain');
  }
}

/** Null if the line is no row. Who can write the storage may have written anything into a plain archive. */
function meets(line: string, conditions: readonly Condition[]): boolean | null {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return null;
    return conditions.every((fits) => fits({ ...row }));
  } catch {
    // No JSON, or so deep that no database has written it.
    return null;
  }
}
