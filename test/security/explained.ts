import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool } from '../../src/platform/database/pool.ts';
import { readDatabaseUrl } from '../../src/platform/database/server-address.ts';
import type { Lifetime } from '../harness.ts';
import { patient, startTestServer } from '../test-server.ts';

/** A statement with its plan, as it was run. `during` is the latest label before it. */
export type Explained = { during: string; text: string; rows: number };

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

/** A private server that writes down the rows that each statement looks at, with the label of its moment. */
export async function startExplainingServer(lifetime: Lifetime, binaries: string) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-plans-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o777);
  const server = await startTestServer(binaries, [
    ...['logging_collector=on', `log_directory=${folder}`, 'log_destination=jsonlog'],
    ...[
      'session_preload_libraries=auto_explain',
      'auto_explain.log_analyze=on',
      'auto_explain.log_timing=off',
    ],
    ...['auto_explain.log_format=json', 'auto_explain.log_nested_statements=on'],
  ]);
  const administrator = await createPool(readDatabaseUrl(server.url), { max: 1, ...patient });
  lifetime.after(async () => {
    await administrator.end();
    await server.remove();
    await rm(folder, { recursive: true });
  });
  return {
    url: server.url,
    administrator,
    async begin() {
      await administrator`alter system set auto_explain.log_min_duration = 0`;
      await administrator`select pg_reload_conf()`;
    },
    label: (text: string) => administrator.unsafe(`select ${literal(label + text)}`),
    /** The statements since the first label. */
    async read(): Promise<Explained[]> {
      // The log is written by another process.
      await administrator.unsafe(`select ${literal(end)}`);
      for (;;) {
        const lines = await linesIn(folder);
        if (lines.some(({ text }) => text.includes(literal(end)))) return withLabels(lines);
      }
    },
  };
}

const label = 'label: ';
const end = 'the end';
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function linesIn(folder: string): Promise<Omit<Explained, 'during'>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .flatMap((line) => explained(line) ?? []);
}

/** Other lines of the log, and one that is not written to its end, have no plan. */
function explained(line: string): Omit<Explained, 'during'> | null {
  if (!line.endsWith('}')) return null;
  const { message = '' }: { message?: string } = JSON.parse(line);
  const [, plan] = message.split('plan:\n', 2);
  if (plan === undefined) return null;
  const { 'Query Text': text, Plan }: { 'Query Text': string; Plan: Node } = JSON.parse(plan);
  return { text, rows: rowsOf(Plan) };
}

/** The rows of tables that are looked at, also those that are left out. */
function rowsOf(node: Node): number {
  const inside = (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);
  if (node['Relation Name'] === undefined || !node['Node Type'].includes('Scan')) return inside;
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return inside + (node['Actual Rows'] + filtered + rechecked) * node['Actual Loops'];
}

function withLabels(lines: Omit<Explained, 'during'>[]): Explained[] {
  let during: string | undefined;
  return lines.flatMap(({ text, rows }) => {
    const [, named] = text.split(`select '${label}`, 2);
    if (named === undefined) return during === undefined ? [] : [{ during, text, rows }];
    during = named.slice(0, -1);
    return [];
  });
}
