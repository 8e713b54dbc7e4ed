import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from './faults/until.ts';
import { freePort } from './free-port.ts';
import { caller, type Lifetime } from './harness.ts';
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

const npm = (words: string[], cwd: string) =>
  promisify(execFile)('npm', words, { cwd, env: { PATH, HOME }, maxBuffer: 2 ** 25 });

/** The package, installed into an empty folder as a person does it. Other tests use the pages that are built now. */
async function install(): Promise<void> {
  await npm(['run', 'prepack'], root);
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await npm(['install', '--prefix', '.', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder);
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
  timeout: 600_000,
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
