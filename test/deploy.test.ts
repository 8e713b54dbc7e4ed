import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../src/platform/config.ts';

const deploy = join(import.meta.dirname, '..', 'deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'patchbay-deploy-'));
after(() => rmSync(folder, { recursive: true }));

/** What follows a word at the beginning of a line. */
const linesOf = (text: string, word: string): string[] =>
  [...text.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

const analyze = '/usr/bin/systemd-analyze';

test('systemd accepts the unit, without a complaint', {
  skip: !existsSync(analyze) && 'systemd is not installed',
}, () => {
  // The unit names a package that is not installed here.
  const installed = join(folder, 'node_modules', '.bin');
  mkdirSync(installed, { recursive: true });
  symlinkSync(process.execPath, join(installed, 'node'));
  const unit = join(folder, 'patchbay.service');
  writeFileSync(unit, read('systemd/patchbay.service').replaceAll('/opt/patchbay', folder));
  const { status, stderr } = spawnSync(analyze, ['verify', unit], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('the image runs the program of the package as a user without rights, which owns the data only', () => {
  const recipe = read('container/Containerfile');
  assert.deepEqual(linesOf(recipe, 'USER'), ['node']);
  assert.deepEqual(linesOf(recipe, 'VOLUME'), ['/data']);
  assert.match(recipe, /^RUN install -d -o node .* \/data$/m);
  assert.deepEqual(linesOf(recipe, 'CMD'), ['["serve"]']);
  const [entry = '[]'] = linesOf(recipe, 'ENTRYPOINT');
  assert.deepEqual(JSON.parse(entry), ['node', '/opt/patchbay/node_modules/patchbay/dist/main.js']);
  // What comes last decides, so the user must be chosen after all commands that need rights.
  assert.ok(recipe.lastIndexOf('\nRUN') < recipe.indexOf('\nUSER'));
  const [settings = ''] = linesOf(recipe, 'ENV');
  const environment = Object.fromEntries(settings.split(' ').map((setting) => setting.split('=')));
  const config = loadConfig({ ...environment, PATCHBAY_SECRET_KEY: 'k'.repeat(32) });
  assert.deepEqual([config.host, config.port, config.dataDir], ['0.0.0.0', 3000, '/data']);
});

test('compose starts PostgreSQL first, and the program on a read-only file system with a place for its files', () => {
  const { services, volumes } = parse(read('container/compose.yaml'));
  const { patchbay, database } = services;
  assert.equal(patchbay.depends_on.database.condition, 'service_healthy');
  assert.equal(database.healthcheck.test[0], 'CMD');
  assert.equal(patchbay.read_only, true);
  assert.deepEqual(patchbay.cap_drop, ['ALL']);
  assert.deepEqual(patchbay.volumes, ['files:/data']);
  assert.deepEqual(Object.keys(volumes), ['files', 'database']);
  assert.ok(existsSync(join(deploy, 'container', patchbay.build.context, patchbay.build.dockerfile)));
  const { DATABASE_URL, PUBLIC_URL, PATCHBAY_SECRET_KEY } = patchbay.environment;
  assert.match(PATCHBAY_SECRET_KEY, /^\$\{PATCHBAY_SECRET_KEY:\?\}$/);
  const config = loadConfig({
    DATABASE_URL,
    PATCHBAY_SECRET_KEY: 'k'.repeat(32),
    PUBLIC_URL: PUBLIC_URL.replace(/^\$\{PUBLIC_URL:-(.*)\}$/, '$1'),
  });
  assert.equal(config.databaseUrl, DATABASE_URL);
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment;
  assert.equal(DATABASE_URL, `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`);
});
