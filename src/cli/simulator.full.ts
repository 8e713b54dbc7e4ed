import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { listenAt } from '../simulator/listening.ts';
import { placesOf } from './simulator-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-simulator-'));
after(() => rmSync(folder, { recursive: true }));
const main = join(import.meta.dirname, '..', 'main.ts');
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** A free port with three free ports behind it. */
async function freePorts(): Promise<number> {
  const server = createServer();
  const port = await listenAt(server, 0);
  const others = [createServer(), createServer(), createServer()];
  const isFree = await Promise.all(
    others.map((other, place) =>
      listenAt(other, port + 1 + place).then(
        () => true,
        () => false,
      ),
    ),
  );
  for (const one of [server, ...others]) one.close();
  return isFree.every(Boolean) ? port : freePorts();
}

const port = await freePorts();
const env = {
  PATH,
  NODE_COMPILE_CACHE,
  PATCHBAY_DATA_DIR: join(folder, 'data'),
  PATCHBAY_DISK_RESERVE_MB: '0',
  PATCHBAY_ALLOW_OUTBOUND: placesOf(port).join(','),
  LOG_LEVEL: 'warn',
};

async function run(...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, '--json'], {
    cwd: folder,
    env,
  });
  return JSON.parse(stdout);
}

/** A program that runs until a signal, with a way to wait for a line of it. */
function start(settings: Record<string, string>, ...words: string[]) {
  const program = spawn(process.execPath, [main, ...words], { cwd: folder, env: { ...env, ...settings } });
  after(() => program.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface(program.stdout).on('line', (line) => lines.push(line));
  return {
    prints: async (wanted: RegExp) => {
      while (!lines.some((line) => wanted.test(line))) await once(reader, 'line');
    },
    stop: async () => {
      program.kill('SIGTERM');
      const [code] = await once(program, 'exit');
      return code;
    },
  };
}

const providers = async () =>
  JSON.parse(await (await fetch(`http://127.0.0.1:${port}/providers`)).text()).providers;

test('a simulator without a server gets the channels whose providers need no answer, and says why of the others', async () => {
  const { uuid } = await run('project', 'create', 'Shop');
  const simulator = start({}, 'simulator', '--port', String(port));
  await simulator.prints(/page of phones/);
  const { channels } = await run('simulator', 'add', '--project', uuid, '--port', String(port));
  const problemOf = (platform: string) =>
    channels.find((channel: { platform: string }) => channel.platform === platform)?.problem;
  assert.equal(problemOf('Telegram'), null);
  assert.equal(problemOf('Auto_Ru'), null);
  assert.match(problemOf('Viber'), /Viber refused: invalidUrl/);
  assert.equal(await simulator.stop(), 0);
});

test('serve --simulator connects the demo project, and ends the simulator with itself', async () => {
  const web = String(await freePorts());
  const own = { PATCHBAY_DATA_DIR: join(folder, 'demo'), PATCHBAY_ALLOW_OUTBOUND: '', PORT: web };
  const service = start(own, 'serve', '--simulator', String(port));
  await service.prints(/are in the demo project/);
  const unconnected = (await providers()).filter(
    ({ addresses, part }: { addresses: string[]; part: string }) =>
      addresses.length === 0 && !['email', 'telegram-personal'].includes(part),
  );
  assert.deepEqual(unconnected, []);
  assert.equal(await service.stop(), 0);
  for (let isThere = true; isThere; )
    isThere = await providers().then(
      () => true,
      () => false,
    );
});
