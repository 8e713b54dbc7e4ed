import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { homeInFolder } from './faults/home.ts';
import { postMessage } from './faults/traffic.ts';
import { until } from './faults/until.ts';
import { freePort } from './free-port.ts';
import { caller, type Lifetime } from './harness.ts';
import { buildImage, NoImages, noImages } from './stand-ins/image.ts';
import { registrySettings } from './stand-ins/registry.ts';
import { formVisitor } from './visitor.ts';

const root = join(import.meta.dirname, '..');
const mostBytes = 120 * 10 ** 6;

const folder = mkdtempSync(join(tmpdir(), 'patchbay-package-'));
after(() => rmSync(folder, { recursive: true }));
/** Without the packages of this checkout: only the Node and npm of the machine. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.includes('node_modules'))
  .join(delimiter);
const { HOME } = process.env;

const settings = (await registrySettings()).lines.map((line) => `--${line}`);
const npm = (words: string[], cwd: string) =>
  promisify(execFile)('npm', [...words, ...settings], {
    cwd,
    env: { PATH, HOME },
    maxBuffer: 2 ** 25,
  });

const packed = join(folder, 'packed');
/** Other tests use the pages that are built now. */
before(async () => {
  mkdirSync(packed);
  await npm(['run', 'prepack'], root);
  await npm(['pack', '--ignore-scripts', '--pack-destination', packed], root);
});

/** The package, installed into an empty folder as a person does it. */
async function install(): Promise<void> {
  const [tarball = ''] = readdirSync(packed);
  const words = ['install', '--prefix', '.', '--no-audit', '--no-fund', '--prefer-offline'];
  await npm([...words, join(packed, tarball)], folder);
}

/** `npx patchbay serve`, and the lines that it prints until the command for a first message. */
async function startInstalled(lifetime: Lifetime) {
  const port = await freePort();
  const program = spawn('npx', ['--no', 'patchbay', 'serve'], {
    cwd: folder,
    env: { PATH, HOME, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  lifetime.after(async () => {
    process.kill(-(program.pid ?? 0), 'SIGTERM');
    // npx leaves first. The program holds the pipe until it ends.
    await once(program, 'close');
  });
  const lines: string[] = [];
  const reader = createInterface(program.stdout).on('line', (line) => lines.push(line));
  while (!lines.some((line) => line.startsWith('curl '))) await once(reader, 'line');
  return { address: `http://127.0.0.1:${port}`, text: lines.join('\n') };
}

function bytesIn(path: string): number {
  const status = lstatSync(path);
  if (!status.isDirectory()) return status.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? assert.fail(`${pattern}`);

test('the package installs into an empty folder, is at most 120 MB beside Node, starts, lets its owner in, sends, and is backed up', {
  timeout: 1_800_000,
}, async (t) => {
  await install();
  const bytes = bytesIn(join(folder, 'node_modules', 'patchbay'));
  t.diagnostic(`${(bytes / 10 ** 6).toFixed(1)} MB beside Node`);
  assert.ok(bytes <= mostBytes, `${bytes} bytes`);
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !/^(\.|node)/.test(name)),
    ['patchbay'],
  );

  const { address, text } = await startInstalled(t);
  const visitor = formVisitor(address);
  const link = found(text, /Sign in +http:\/\/[^/]+(\/\S+)/);
  await visitor.open(link);
  const entered = await visitor.submit({}, { path: link });
  assert.deepEqual([entered.status, entered.location], [303, '/console/']);
  assert.equal((await caller(address)('GET', '/console/')).status, 303);
  assert.match((await visitor.open('/console/')).text, /<script type="module"/);

  const call = caller(address);
  const headers = { 'bot-key': found(text, /Bot key +(\S+)/) };
  const body = JSON.parse(found(text, /-d '([^']+)'/));
  const { status, body: message } = await call('POST', '/api/partners/push-messages/', { headers, body });
  assert.equal(status, 201);
  const read = () => call('GET', `/api/partners/push-messages/${message.uuid}/`, { headers });
  await until(async () => (await read()).body.state.code === 'SENT');

  const commanded = await promisify(execFile)('npx', ['--no', 'patchbay', 'backup', 'my.backup', '--json'], {
    cwd: folder,
    env: { PATH, HOME },
  });
  assert.ok(JSON.parse(commanded.stdout).rows > 0);
});

/** The image, or null with a reason where nothing can run it. */
async function imageOrNot(t: TestContext) {
  try {
    return await buildImage(t, packed);
  } catch (error) {
    if (!(error instanceof NoImages)) throw error;
    t.skip(error.message);
    return null;
  }
}

test('the image runs without rights on a read-only file system, sends, shares its data with nobody, and stops when asked', {
  skip: noImages,
  timeout: 1_800_000,
}, async (t) => {
  const image = await imageOrNot(t);
  if (!image) return;
  t.diagnostic(`the image has ${image.size}`);
  const data = join(folder, 'volume');
  await image.copyVolume('data', data);
  const port = await freePort();
  const home = homeInFolder(data, { PORT: `${port}`, HOST: '127.0.0.1' });
  const { PATCHBAY_DATA_DIR: _, ...environment } = home.environment;
  const given = { volumes: { '/data': data }, environment };

  const one = image.start('one', given);
  const call = caller(`http://127.0.0.1:${port}`);
  const isReady = async () => (await call('GET', '/readyz').catch(() => null))?.status === 200;
  await until(async () => {
    assert.ok(!one.hasEnded(), one.printed());
    return await isReady();
  });
  await image.within('one', image.check.slice(1));
  const partner = await home.addPartner(t, call);
  const { chat } = await partner.client('ann');
  const { status, body } = await postMessage(call, partner, chat, 1);
  assert.equal(status, 201);
  const [delivery] = await partner.messenger.received(1);
  assert.equal(delivery?.body.payload.message.uuid, body.uuid);

  const rights = await image.within('one', ['cat', '/proc/1/status']);
  assert.match(rights, /^Uid:\t1000\t1000\t1000\t1000$/m);
  assert.match(rights, /^CapEff:\t0+$/m);
  assert.equal(statSync(data).mode & 0o777, 0o700);

  const two = image.start('two', given);
  assert.deepEqual(await two.ended, [1, null]);
  assert.match(two.printed(), /in use by a process of another container/);
  assert.ok(await isReady());

  await one.tell('TERM');
  assert.deepEqual(await one.ended, [0, null], one.printed());
});
