import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { ConfigError, loadConfig, settings } from './config.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'patchbay-config-'));
const load = (environment: Record<string, string>, envFile = '/nowhere/.env') =>
  loadConfig({ PATCHBAY_DATA_DIR: folder(), ...environment }, envFile);

test('.env.example names every setting and no other', () => {
  const example = parseEnv(readFileSync(join(import.meta.dirname, '..', '..', '.env.example'), 'utf8'));
  assert.deepEqual(Object.keys(example).sort(), [...settings].sort());
});

test('.env.example shows the defaults', () => {
  const example = join(import.meta.dirname, '..', '..', '.env.example');
  const dataDir = folder();
  const shown = loadConfig({ PATCHBAY_DATA_DIR: dataDir }, example);
  assert.deepEqual(shown, loadConfig({ PATCHBAY_DATA_DIR: dataDir }, '/nowhere/.env'));
});

test('the environment wins over the .env file', () => {
  const file = join(folder(), '.env');
  writeFileSync(file, 'PORT=4000\nHOST=0.0.0.0\n');
  assert.partialDeepStrictEqual(load({ PORT: '5000' }, file), { port: 5000, host: '0.0.0.0' });
});

test('the embedded database keeps one generated key, readable by its owner alone', () => {
  const dataDir = folder();
  const first = load({ PATCHBAY_DATA_DIR: dataDir }).secretKey;
  assert.equal(load({ PATCHBAY_DATA_DIR: dataDir }).secretKey, first);
  assert.ok(first.length >= 32);
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
});

test('a shared database requires a configured key', () => {
  assert.throws(() => load({ DATABASE_URL: 'postgres://db/patchbay' }), /PATCHBAY_SECRET_KEY is required/);
  assert.equal(
    load({ DATABASE_URL: 'postgres://db/patchbay', PATCHBAY_SECRET_KEY: 'k'.repeat(32) }).secretKey,
    'k'.repeat(32),
  );
});

const wrong: [string, Record<string, string>, RegExp][] = [
  ['a port that is no port', { PORT: '70000' }, /PORT must be a port number, not "70000"/],
  ['a public address without a scheme', { PUBLIC_URL: 'patchbay.example' }, /PUBLIC_URL must be/],
  ['a public address of another scheme', { PUBLIC_URL: 'ftp://patchbay.example' }, /PUBLIC_URL must be/],
  ['a mail server of another scheme', { SMTP_URL: 'mail.example:587' }, /SMTP_URL must be/],
  ['a mail server without a sender', { SMTP_URL: 'smtp://mail.example' }, /MAIL_FROM is required/],
  ['a reserve that is no number', { PATCHBAY_DISK_RESERVE_MB: 'much' }, /PATCHBAY_DISK_RESERVE_MB must be/],
  ['an unknown role', { PATCHBAY_ROLES: 'api,cook' }, /PATCHBAY_ROLES must name/],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
  [
    'a secret key that is too short',
    { PATCHBAY_SECRET_KEY: 'short' },
    /PATCHBAY_SECRET_KEY must have at least 32/,
  ],
];

for (const [name, environment, message] of wrong) {
  test(`${name} is refused with a sentence that names the setting`, () => {
    assert.throws(
      () => load(environment),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
  });
}

test('addresses in answers never end with two slashes', () => {
  assert.equal(
    load({ PUBLIC_URL: 'https://chat.example/patchbay/' }).publicUrl,
    'https://chat.example/patchbay',
  );
});

test('the size of the connection pool follows the roles of the process, unless it is set', () => {
  assert.equal(load({}).databasePoolSize, 16);
  assert.equal(load({ PATCHBAY_ROLES: 'api' }).databasePoolSize, 8);
  assert.equal(load({ DATABASE_POOL_SIZE: '40' }).databasePoolSize, 40);
  for (const wrong of ['1', 'many', '2.5', '100000']) {
    assert.throws(() => load({ DATABASE_POOL_SIZE: wrong }), /DATABASE_POOL_SIZE/);
  }
});
