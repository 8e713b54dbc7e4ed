import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { isTest } from './test-files.ts';

const source = join(import.meta.dirname, '..', 'src');

/**
 * The folders of `src` by floor, from the ground up. A file imports its own folder and any floor below. The longest
 * matching name counts. Folders on one floor do not import each other.
 */
const floors: string[][] = [
  ['platform'],
  ['platform/secrets', 'platform/outbound', 'platform/pump', 'platform/telemetry'],
  ['platform/list-files'],
  ['platform/config.ts', 'platform/http/principal.ts', 'platform/database', 'channels/contract'],
  ['platform/context.ts', 'access/live-grant-store.ts', 'events'],
  ['platform/http', 'platform/jobs', 'platform/limits', 'channels/shared', 'simulator'],
  [
    'access/auth',
    'access/iframe',
    'channels',
    'clients/consent',
    'clients/filters',
    'events/endpoints',
    'messaging/messages',
  ],
  ['clients/audiences'],
  [
    'access/oauth',
    'access/operators',
    'access/projects',
    'channels/connected',
    'clients/profiles',
    'messaging/attachments',
    'messaging/templates',
    'scenarios',
  ],
  ['messaging/chats'],
  ['clients/promocodes', 'messaging/push-messages'],
  [
    'mailings',
    'messaging/connector',
    'messaging/inbound',
    'messaging/stream',
    'openapi',
    'people/iframe',
    'people/widget',
  ],
  ['demo', 'events/delivery', 'mailings/planning', 'messaging/sending', 'retention', 'scenarios/runs'],
  ['people/chat-center', 'people/console'],
  ['housekeeping.ts', 'telemetry'],
  ['routes'],
  ['routes.ts'],
  ['service.ts'],
  ['cli'],
  ['main.ts'],
  ['launcher.ts'],
];

/** The floors would allow it, but only the wiring may start an engine. */
const engines = ['events/delivery', 'mailings/planning', 'messaging/sending', 'scenarios/runs'];
const mayStartEngines = ['service.ts'];

type Place = { name: string; floor: number };

const rooms = floors
  .flatMap((names, floor) => names.map((name) => ({ name, floor })))
  .sort((one, other) => other.name.length - one.name.length);

function placeOf(file: string): Place {
  const room = rooms.find(({ name }) => file === name || file.startsWith(`${name}/`));
  assert.ok(room, `${file} has no place in the house: give it one in test/imports.test.ts`);
  return room;
}

const files = globSync('**/*.ts', { cwd: source }).filter((file) => !isTest(file));

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

test('a file imports only its own folder and the floors below', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [upper, lower] = [placeOf(from), placeOf(to)];
    if (upper.name === lower.name) return false;
    if (engines.includes(lower.name) && !mayStartEngines.includes(upper.name)) return true;
    return lower.floor >= upper.floor;
  });
  assert.deepEqual(wrong, []);
});

test('an adapter imports the contract of channels and the ground, not the program and not another adapter', () => {
  const ground = [
    'platform',
    'platform/secrets',
    'platform/outbound',
    'channels/contract',
    'channels/shared',
  ];
  const wrong = imports.filter(({ from, to }) => {
    const adapter = /^channels\/messengers\/[^/]+\//.exec(from)?.[0];
    return adapter !== undefined && !to.startsWith(adapter) && !ground.includes(placeOf(to).name);
  });
  assert.deepEqual(wrong, []);
});

test('only the command line starts the simulator, and the simulator does not know the program', () => {
  const isSimulator = (file: string): boolean => placeOf(file).name === 'simulator';
  const users = imports.filter(({ from, to }) => isSimulator(to) && !isSimulator(from));
  assert.deepEqual(
    users.filter(({ from }) => placeOf(from).name !== 'cli'),
    [],
  );
  const known = ['platform/exact-json.ts', 'channels/contract/platforms.ts'];
  const used = imports.filter(({ from, to }) => isSimulator(from) && !isSimulator(to));
  assert.deepEqual(
    used.filter(({ to }) => !known.includes(to)),
    [],
  );
});

test('no file imports itself through others', () => {
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
  const allowed = /(^platform\/database\/|store\.ts$|^events\/outbox\.ts$)/;
  const sql = /\b(sql|tx|transaction)(<[^`]*>)?`/;
  const wrong = files.filter(
    (file) => !allowed.test(file) && sql.test(readFileSync(join(source, file), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('a module of a thread is named without its ending, which is another one in the package', () => {
  const named = files.filter((file) => /new URL\('[^']+\.ts'/.test(readFileSync(join(source, file), 'utf8')));
  assert.deepEqual(named, []);
});
