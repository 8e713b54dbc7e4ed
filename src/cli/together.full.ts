import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const main = join(import.meta.dirname, '..', 'main.ts');

/** Runs a command as a separate process, in a folder without a `.env` file. */
async function run(dataDir: string, ...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, '--json'], {
    cwd: tmpdir(),
    env: { PATH, NODE_COMPILE_CACHE, PATCHBAY_DATA_DIR: dataDir, PATCHBAY_DISK_RESERVE_MB: '0' },
  });
  return JSON.parse(stdout);
}

test('four concurrent commands on a new or an idle data folder all do their work', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  t.after(() => rm(dataDir, { recursive: true }));
  for (const round of ['new', 'idle']) {
    const names = ['a', 'b', 'c', 'd'].map((letter) => `${round} ${letter}`);
    const made = await Promise.all(names.map((name) => run(dataDir, 'project', 'create', name)));
    assert.deepEqual(
      made.map(({ name }) => name),
      names,
    );
    assert.equal(new Set(made.map(({ uuid }) => uuid)).size, 4);
  }
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('owner')),
    [],
  );
});
