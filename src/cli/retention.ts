import type { Command } from 'commander';
import { kinds, type Retention } from '../access/projects/retention.ts';
import { reporting } from './report.ts';
import type { Tools } from './tools.ts';

export function addRetentionCommands(program: Command): void {
  program
    .command('retention')
    .description('list what the next runs of the job "retention" remove; changes nothing')
    .action(reporting((tools) => reportPlan(tools)));
}

type Planned = { project: string; table: string; month: string; rows: number };

async function reportPlan(tools: Tools) {
  const { listRetentions } = await import('../access/projects/retention-store.ts');
  const retentions = await listRetentions(tools.sql);
  const planned: Planned[] = [];
  for (const retention of retentions) planned.push(...(await plannedFor(tools, retention)));
  const lines = [
    ...retentions.map((one) => `${one.project_id} keeps ${wordsOf(one)}.`),
    ...planned.map(({ project, table, month, rows }) => `${project}: ${rows} rows of ${table} ${month}`),
  ];
  return { json: { planned }, text: lines.join('\n') || 'All projects keep everything for ever.' };
}

const wordsOf = (retention: Retention): string =>
  retention.legal_hold
    ? 'everything: a legal hold is set'
    : kinds
        .map((kind) => `${kind} ${retention[kind] === null ? 'for ever' : `${retention[kind]} months`}`)
        .join(', ');

async function plannedFor(
  { sql, clock }: Tools,
  retention: Retention & { project_id: string },
): Promise<Planned[]> {
  const { isOver } = await import('../access/projects/retention.ts');
  const { countRowsIn, partsOfTable } = await import('../retention/parts-store.ts');
  const { kindOf, tables } = await import('../retention/units.ts');
  const now = clock.now();
  const planned: Planned[] = [];
  for (const table of tables) {
    const parts = await partsOfTable(sql, table);
    for (const part of parts.filter(({ month }) => isOver(retention, kindOf(table), month, now))) {
      const rows = await countRowsIn(sql, { ...part, projectId: retention.project_id });
      if (rows > 0) planned.push({ project: retention.project_id, table, month: part.month.name, rows });
    }
  }
  return planned;
}
