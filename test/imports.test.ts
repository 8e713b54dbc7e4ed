import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '..', 'src');

/**
 * The house from the ground up. A file may import its own floor's own folder and any floor below; the longest
 * matching name counts. Folders of one floor do not know each other.
 */
const floors: string[][] = [
  ['lib'],
  ['config.ts', 'auth/principal.ts', 'storage', 'channels/contract'],
  ['context.ts', 'events'],
  ['http', 'limits'],
  ['auth', 'channels/registry', 'filters'],
  ['oauth', 'operators', 'profiles', 'projects', 'scenarios', 'templates', 'attachments'],
  ['chats', 'integrations'],
  ['promocodes', 'push-messages'],
  ['connector', 'iframe', 'inbound', 'mailings', 'openapi', 'stream', 'widget'],
  ['planning', 'running', 'sending', 'webhooks'],
  ['chat-center', 'console'],
  ['demo'],
  ['housekeeping.ts'],
  ['routes'],
  ['routes.ts'],
  ['service.ts'],
  ['cli'],
  ['main.ts'],
];

/** What a floor below would allow, but the design does not: nobody but the wiring starts an engine. */
const engines = ['planning', 'running', 'sending', 'webhooks'];
const mayStartEngines = ['service.ts'];

type Place = { name: string; floor: number };

function placeOf(file: string): Place {
  const name = roomOf(file);
  const floor = floors.findIndex((rooms) => rooms.includes(name));
  assert.notEqual(floor, -1, `${file} has no place in the house: give it one in test/imports.test.ts`);
  return { name, floor };
}

function roomOf(file: string): string {
  const adapter = /^channels\/[^/]+\//.exec(file)?.[0];
  if (adapter) return 'channels/registry';
  if (file === 'channels/registry.ts') return 'channels/registry';
  if (file.startsWith('channels/')) return 'channels/contract';
  if (floors.flat().includes(file)) return file;
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file;
}

const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));

type Import = { from: string; to: string; typesOnly: boolean };

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(source, from), 'utf8');
  const found = [...text.matchAll(/\b(?:import|export)(\s+type)?\b[^;'"]*?'(\.{1,2}\/[^']+)'/g)];
  return found.map(([, type, path = '']) => ({
    from,
    to: relative(source, join(source, dirname(from), path)),
    typesOnly: type !== undefined,
  }));
});

test('arrows point one way: a file imports only its own folder and the floors below', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [upper, lower] = [placeOf(from), placeOf(to)];
    if (upper.name === lower.name) return false;
    if (engines.includes(lower.name) && !mayStartEngines.includes(upper.name)) return true;
    return lower.floor >= upper.floor;
  });
  assert.deepEqual(wrong, []);
});

test('an adapter knows the channel contract and lib, not the program and not another adapter', () => {
  const wrong = imports.filter(({ from, to }) => {
    const folder = /^channels\/[^/]+\//.exec(from)?.[0];
    if (!folder) return false;
    return !(to.startsWith(folder) || to.startsWith('lib/') || /^channels\/(?!registry)[^/]+\.ts$/.test(to));
  });
  assert.deepEqual(wrong, []);
});

test('no file runs itself through others', () => {
  const next = Map.groupBy(
    imports.filter(({ typesOnly }) => !typesOnly),
    ({ from }) => from,
  );
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `a circle: ${[...path, file].join(' → ')}`);
    if (finished.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    finished.add(file);
  };
  for (const file of files) visit(file, []);
});

test('only stores write SQL', () => {
  const allowed = /(^storage\/|store\.ts$|^events\/outbox\.ts$|^chats\/queue\.ts$)/;
  const sql = /\b(sql|tx|transaction)(<[^`]*>)?`/;
  const wrong = files.filter(
    (file) => !allowed.test(file) && sql.test(readFileSync(join(source, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});
