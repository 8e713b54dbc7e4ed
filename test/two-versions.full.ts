import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { openDatabase } from '../src/platform/database/database.ts';
import { newPlace, testDatabaseKind } from './database.ts';
import { type Home, homeAt, homeInFolder } from './faults/home.ts';
import { type Program, startProgram } from './faults/program.ts';
import { postAll, postMessage, slowProvider } from './faults/traffic.ts';
import { until } from './faults/until.ts';
import type { Lifetime } from './harness.ts';

/**
 * The previous release runs from its own sources and migrations (`test/previous-release`), with the packages and the
 * pages of this version. The test does not show that the old program works with its own packages. It sends push
 * messages only, so other features of the old version may still be broken by a migration.
 */

const root = join(import.meta.dirname, '..');
const folder = await mkdtemp(join(tmpdir(), 'patchbay-previous-'));
after(() => rm(folder, { recursive: true }));
const previous = await unpacked();

async function unpacked(): Promise<string> {
  const packed = await readFile(join(root, 'test', 'previous-release', 'release.tar.br'));
  await writeFile(join(folder, 'release.tar'), brotliDecompressSync(packed));
  await promisify(execFile)('tar', ['xf', 'release.tar'], { cwd: folder });
  for (const shared of ['node_modules', 'web']) await symlink(join(root, shared), join(folder, shared));
  return join(folder, 'src', 'main.ts');
}

async function makeHome(t: Lifetime): Promise<Home> {
  const place = await newPlace(t, testDatabaseKind);
  if ('PATCHBAY_DATA_DIR' in place)
    return homeInFolder(place.PATCHBAY_DATA_DIR, { PATCHBAY_DEMO: 'off', PATCHBAY_DISK_RESERVE_MB: '0' });
  return homeAt({
    environment: { ...place, PATCHBAY_DEMO: 'off' },
    async look(at) {
      const database = await openDatabase({
        databaseUrl: place.DATABASE_URL,
        dataDir: '',
        log: pino({ level: 'silent' }),
      });
      try {
        return await at(database.sql);
      } finally {
        await database.close();
      }
    },
  });
}

const messages = 200;

/** Sends through each of the programs in turns, and waits until each message has arrived once. */
type Scene = { send(programs: Program[]): Promise<void> };

async function makeScene(t: Lifetime, home: Home, first: Program): Promise<Scene> {
  const partner = await home.addPartner(t, first.call);
  const { messenger } = partner;
  messenger.behave(slowProvider);
  const { chat } = await partner.client('Ann');
  let sent = 0;
  return {
    async send(programs) {
      const from = sent;
      sent += messages;
      const anyPace = { ...messenger, received: async () => [] };
      const uuids = await postAll(messages, anyPace, async (number) => {
        const { call } = programs[number % programs.length] ?? first;
        const { status, body } = await postMessage(call, partner, chat, from + number);
        assert.equal(status, 201, JSON.stringify(body));
        return body.uuid;
      });
      await until(async () => {
        const rows = await home.look(
          (sql) => sql`select from messages where direction = 'out' and state <> 'SENT' limit 1`,
        );
        return rows.length === 0;
      });
      assert.equal(new Set(uuids).size, messages);
      assert.equal(messenger.deliveries.length, sent);
    },
  };
}

test('the previous version and this one serve and send together, and either may leave', async (t) => {
  const home = await makeHome(t);
  const older = () => startProgram(t, home.environment, { entry: previous });
  const newer = () => startProgram(t, home.environment);
  const old = await older();
  if (testDatabaseKind === 'embedded') return await oneAfterAnother(t, home, { old, older, newer });

  // The new version migrates the tables while the old one uses them.
  const fresh = await newer();
  const scene = await makeScene(t, home, fresh);
  await scene.send([old, fresh]);
  const leaving = scene.send([fresh]);
  assert.equal(await old.end('SIGTERM'), 0);
  await leaving;
  // The way back: the old version starts on the new tables.
  const again = await older();
  await scene.send([again, fresh]);
  assert.equal(await fresh.end('SIGTERM'), 0);
  await scene.send([again]);
  assert.equal(await again.end('SIGTERM'), 0);
  assert.deepEqual([...old.complaints, ...fresh.complaints, ...again.complaints], []);
});

type Versions = { old: Program; older(): Promise<Program>; newer(): Promise<Program> };

/** The embedded database has one program at a time. */
async function oneAfterAnother(t: Lifetime, home: Home, { old, older, newer }: Versions): Promise<void> {
  const scene = await makeScene(t, home, old);
  await scene.send([old]);
  assert.equal(await old.end('SIGTERM'), 0);
  const fresh = await newer();
  await scene.send([fresh]);
  assert.equal(await fresh.end('SIGTERM'), 0);
  const again = await older();
  await scene.send([again]);
  assert.equal(await again.end('SIGTERM'), 0);
  assert.deepEqual([...old.complaints, ...fresh.complaints, ...again.complaints], []);
}
