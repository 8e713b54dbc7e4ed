import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { testConfig } from '../../test/harness.ts';
import { checkAllowList, checkDataFolder, checkNode, checkPort, checkPublicUrl } from './checks.ts';

test('a Node that is too old fails, with a remedy', () => {
  assert.equal(checkNode('24.21.0').state, 'ok');
  assert.equal(checkNode('26.0.0').state, 'ok');
  const old = checkNode('20.19.0');
  assert.equal(old.state, 'failed');
  assert.match(old.remedy ?? '', /npm start/);
});

test('a data folder must be writable, is not shared beside a server, and is not needed beside object storage', () => {
  const dataDir = join(import.meta.filename, 'data');
  const databaseUrl = 'postgres://db/patchbay';
  const [accessKeyId, secretAccessKey] = ['key', 'secret'];
  const s3 = { endpoint: 'https://s3.test', bucket: 'files', region: 'x', accessKeyId, secretAccessKey };
  assert.equal(checkDataFolder(testConfig({ dataDir })).state, 'failed');
  assert.equal(checkDataFolder(testConfig({ databaseUrl })).state, 'warning');
  assert.equal(checkDataFolder(testConfig({ dataDir, databaseUrl, s3 })).state, 'ok');
});

test('a disk with less room than the embedded database keeps free fails, and a server needs none', () => {
  const dataDir = import.meta.dirname;
  const full = checkDataFolder(testConfig({ dataDir, diskReserveBytes: 2 ** 60 }));
  assert.equal(full.state, 'failed');
  assert.match(full.detail, /^\d+ MB are free/);
  assert.equal(checkDataFolder(testConfig({ dataDir, diskReserveBytes: 0 })).state, 'ok');
  const databaseUrl = 'postgres://db/patchbay';
  assert.equal(
    checkDataFolder(testConfig({ dataDir, databaseUrl, diskReserveBytes: 2 ** 60 })).state,
    'warning',
  );
});

test('a public address is judged by https and by its host', () => {
  const stateOf = (publicUrl: string) => checkPublicUrl(testConfig({ publicUrl })).state;
  assert.equal(stateOf('https://chat.example'), 'ok');
  assert.equal(stateOf('http://chat.example'), 'warning');
  assert.equal(stateOf('http://127.0.0.1:3000'), 'warning');
  assert.equal(stateOf('https://localhost'), 'warning');
});

test('a port passes when it is free or our own, and fails when another program has it', async (t) => {
  const own = createServer((request, answer) => {
    answer.statusCode = request.url === '/healthz' ? health : 404;
    answer.end();
  }).listen(0, '127.0.0.1');
  t.after(() => own.close());
  await once(own, 'listening');
  const address = own.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  let health = 200;
  assert.match((await checkPort(testConfig({ port }))).detail, /^Patchbay is running/);
  health = 404;
  const taken = await checkPort(testConfig({ port }));
  assert.deepEqual([taken.state, taken.remedy], ['failed', 'Choose another PORT or HOST.']);
  assert.equal((await checkPort(testConfig({ port: 0 }))).state, 'ok');
});

test('an allow list with an unreadable entry fails and names it', () => {
  assert.equal(checkAllowList(testConfig({ allowOutbound: [] })).state, 'ok');
  const wrong = checkAllowList(testConfig({ allowOutbound: ['10.0.0.0/8', 'a b'] }));
  assert.equal(wrong.state, 'failed');
  assert.match(wrong.detail, /"a b"/);
});
