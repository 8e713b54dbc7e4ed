import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { freePort } from '../../test/free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-serve-'));
after(() => rmSync(folder, { recursive: true }));

const port = await freePort();
const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PATCHBAY_DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  LOG_LEVEL: 'info',
};

/** A port that accepts connections and stays silent. */
async function silentPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const start = (...words: string[]) => startWith({}, ...words);

function startWith(settings: Record<string, string>, ...words: string[]) {
  const main = join(import.meta.dirname, '..', 'main.ts');
  const env = { ...environment, ...settings };
  const program = spawn(process.execPath, [main, ...words], { cwd: folder, env });
  after(() => program.kill('SIGKILL'));
  return program;
}

/** The lines that a program prints, and a way to wait for one of them. */
function linesOf(program: ReturnType<typeof start>) {
  const lines: string[] = [];
  const reader = createInterface(program.stdout).on('line', (line) => lines.push(line));
  const until = async (wanted: RegExp): Promise<void> => {
    while (!lines.some((line) => wanted.test(line))) await once(reader, 'line');
  };
  return { lines, until };
}

async function exitCodeOf(program: ChildProcess): Promise<number | null> {
  if (program.exitCode === null) await once(program, 'exit');
  return program.exitCode;
}

test('migrate makes the database of a new folder, tells what it is at, and releases it for the next command', async () => {
  const rounds = [
    { applied: /"0001_foundation\.sql"/, progress: /^migration 1 of \d+, 0001_foundation\.sql\n/ },
    { applied: /"applied":\[\]/, progress: /^$/ },
  ];
  for (const { applied, progress } of rounds) {
    const program = start('migrate', '--json');
    const [answer, told] = await Promise.all([text(program.stdout), text(program.stderr)]);
    assert.match(answer, applied);
    assert.match(told, progress);
    assert.equal(await exitCodeOf(program), 0);
  }
});

test('serve prints the welcome once, lets commands work beside it, and survives a second signal while it stops', async () => {
  const first = start('serve');
  const welcome = linesOf(first);
  await welcome.until(/^curl /);
  assert.ok(welcome.lines.some((line) => line.includes('Sign in')));

  const command = start('project', 'create', 'Shop', '--json');
  assert.match(await text(command.stdout), /"bot_key"/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);

  const rival = start('serve');
  assert.match(await text(rival.stderr), /^The data folder .* is in use by process \d+\./);
  assert.equal(await exitCodeOf(rival), 1);

  first.kill('SIGINT');
  first.kill('SIGINT');
  assert.equal(await exitCodeOf(first), 0);

  const second = start('serve');
  const printed = linesOf(second);
  await printed.until(/"msg":"ready"/);
  second.kill('SIGTERM');
  assert.equal(await exitCodeOf(second), 0);
  assert.doesNotMatch(printed.lines.join('\n'), /Welcome|curl/);
});

test('serve waits for a server that is down or silent, reports it every 5 s, and stops on a signal', async () => {
  await Promise.all([freePort, silentPort].map(async (portOf) => waitInVain(await portOf())));
});

async function waitInVain(databasePort: number): Promise<void> {
  const waiting = startWith(
    {
      DATABASE_URL: `postgres://patchbay@127.0.0.1:${databasePort}/patchbay`,
      PATCHBAY_SECRET_KEY: 'x'.repeat(32),
    },
    'serve',
  );
  const said: { msg: string; time: string }[] = [];
  for await (const line of createInterface(waiting.stdout)) {
    said.push(JSON.parse(line));
    if (said.length === 2) waiting.kill('SIGTERM');
  }
  assert.equal(await exitCodeOf(waiting), 0);
  assert.deepEqual(
    said.map(({ msg }) => msg),
    ['waiting for the database', 'waiting for the database'],
  );
  const [first, second] = said.map(({ time }) => new Date(time).getTime());
  assert.ok((second ?? 0) - (first ?? 0) >= 4_900);
}
