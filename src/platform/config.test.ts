import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

test('a database without its key gets no other key', () => {
  const dataDir = folder();
  mkdirSync(join(dataDir, 'database'));
  assert.throws(
    () => load({ PATCHBAY_DATA_DIR: dataDir }),
    (error) => error instanceof ConfigError && /secret\.key is missing/.test(error.message),
  );
  assert.deepEqual(readdirSync(dataDir), ['database']);
  assert.equal(
    load({ PATCHBAY_DATA_DIR: dataDir, PATCHBAY_SECRET_KEY: 'k'.repeat(32) }).secretKey,
    'k'.repeat(32),
  );
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

test('metrics on an address beyond this machine require a token', () => {
  const metrics = (more: Record<string, string>) => load({ PATCHBAY_METRICS_PORT: '9000', ...more }).metrics;
  assert.equal(load({ PATCHBAY_METRICS_HOST: '0.0.0.0' }).metrics, null);
  assert.deepEqual(metrics({}), { port: 9000, host: '127.0.0.1', token: null });
  for (const host of ['0.0.0.0', '::', '10.0.0.5', 'metrics.internal', 'localhost.example']) {
    assert.throws(() => metrics({ PATCHBAY_METRICS_HOST: host }), /PATCHBAY_METRICS_TOKEN is required/, host);
  }
  for (const host of ['localhost', '::1', '127.0.0.2'])
    assert.doesNotThrow(() => metrics({ PATCHBAY_METRICS_HOST: host }));
  const token = 'x'.repeat(24);
  const open = { PATCHBAY_METRICS_HOST: '0.0.0.0' };
  assert.equal(metrics({ ...open, PATCHBAY_METRICS_TOKEN: token })?.token, token);
  assert.throws(() => metrics({ ...open, PATCHBAY_METRICS_TOKEN: 'short' }), /at least 24/);
});

test('traces are off without a collector, and have the standard settings of OpenTelemetry', () => {
  const traces = (more: Record<string, string>) =>
    load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...more }).traces;
  assert.equal(load({ OTEL_SERVICE_NAME: 'messages' }).traces, null);
  assert.deepEqual(traces({}), {
    endpoint: 'http://collector:4318',
    headers: {},
    serviceName: 'patchbay',
    ratio: 1,
  });
  const headers = 'authorization=Basic%20YTpi,tenant = one';
  assert.deepEqual(traces({ OTEL_EXPORTER_OTLP_HEADERS: headers })?.headers, {
    authorization: 'Basic YTpi',
    tenant: 'one',
  });
  const ratio = (sampler: string, share: string) =>
    traces({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share })?.ratio;
  assert.equal(ratio('parentbased_traceidratio', '0.05'), 0.05);
  assert.equal(ratio('traceidratio', '0'), 0);
  assert.equal(ratio('always_off', '1'), 0);
  assert.equal(ratio('parentbased_always_on', '0'), 1);
  assert.throws(() => ratio('traceidratio', '2'), /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/);
  assert.throws(() => ratio('sometimes', '1'), /OTEL_TRACES_SAMPLER must be one of/);
  assert.throws(() => traces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }), /must be an http or https/);
  for (const wrong of ['secret', 'authorization=%zz']) {
    assert.throws(() => traces({ OTEL_EXPORTER_OTLP_HEADERS: wrong }), /^(?!.*(secret|%zz)).*must be pairs/s);
  }
});
