import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/**
 * Each table is inserted into, updated and deleted from by the files of one folder. Other folders call that folder,
 * or put its fragment into a statement.
 */

const root = join(import.meta.dirname, '..');

type Text = { file: string; text: string };

const textsOf = (pattern: string): Text[] =>
  globSync(pattern, { cwd: root })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const sources = textsOf('src/**/*.ts').filter(({ file }) => !/\.(test|full|faults)\.ts$/.test(file));
const schema = textsOf('migrations/*.sql')
  .map(({ text }) => text)
  .join('\n');

/** A partition is written through its table. */
const tables = new Set(
  [...schema.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)(?! partition of)\b/gim)].map(
    ([, name = '']) => name,
  ),
);

/** The table after a writing keyword. `for update` locks, and `do update` continues an insert. */
const written =
  /\b(?:insert\s+into|merge\s+into|delete\s+from|truncate(?:\s+table)?|(?<!\b(?:for|key|do)\s+)update)\s+(?:only\s+)?(?:public\.)?("?\w+"?|\$\{[^}]*\})/gi;

/** A template that ends before the target. */
const cutOff = /(?<!\s`)\b(?:insert\s+into|merge\s+into|delete\s+from|(?<!\b(?:for|key|do)\s+)update)\s*`/gi;

const targetsIn = (text: string): string[] =>
  [...text.matchAll(written)].map(([, target = '']) => target.replaceAll('"', ''));

const tablesIn = (text: string): string[] => targetsIn(text).filter((target) => tables.has(target));

/**
 * The tables that the database's own functions write. Triggers write by themselves. The caller of any other function
 * is the writer.
 */
const functions = [
  ...schema.matchAll(
    /^create (?:or replace )?function (\w+)(?:(?!^create)[^$])*?\breturns (\w+)(?:(?!^create)[^$])*\$\$(.*?)\$\$/gims,
  ),
].map(([, name = '', returns = '', body = '']) => ({
  name,
  isTrigger: returns === 'trigger',
  tables: tablesIn(body),
}));

const callsOf = (text: string): string[] =>
  functions
    .filter(({ name, isTrigger }) => !isTrigger && new RegExp(`\\b${name}\\s*\\(`).test(text))
    .flatMap((called) => called.tables);

/** The folders that write each table. */
function writersIn(texts: readonly Text[]): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const { file, text } of texts) {
    for (const table of [...tablesIn(text), ...callsOf(text)]) {
      const folders = writers.get(table) ?? new Set();
      writers.set(table, folders.add(dirname(file).replace(/^src\//, '')));
    }
  }
  return writers;
}

const writers = writersIn(sources);

test('each table is written by one folder', () => {
  const shared = [...writers].filter(([, folders]) => folders.size > 1);
  const names = shared.map(([table, folders]) => `${table}: ${[...folders].sort().join(', ')}`);
  assert.deepEqual(names, []);
});

test('each table has a writer', () => {
  const byTriggers = functions.filter(({ isTrigger }) => isTrigger).flatMap((trigger) => trigger.tables);
  const nobodys = [...tables].filter((table) => !writers.has(table) && !byTriggers.includes(table));
  assert.deepEqual(nobodys, []);
});

/** A restore puts the rows of every table back as their owners had left them. */
const restoring = `src/platform/database/tables.ts: ${'$'}{sql(name)}`;

test('a statement names the table that it writes', () => {
  const hidden = sources.flatMap(({ file, text }) =>
    [...targetsIn(text).filter((target) => target.startsWith('$')), ...(text.match(cutOff) ?? [])].map(
      (found) => `${file}: ${found}`,
    ),
  );
  assert.deepEqual(hidden, [restoring]);
});

test('the console writes no table: it calls the owners', () => {
  const isConsole = (folder: string): boolean => folder.startsWith('people/console');
  assert.deepEqual(
    [...writers].filter(([, folders]) => [...folders].some(isConsole)),
    [],
  );
});
