import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DataFolderInUse, isListening, socketPath, takeOwnership } from './data-folder.ts';

const folder = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
after(() => rm(folder, { recursive: true }));
const ownerFile = join(folder, 'owner');

test('a folder has one owner at a time', async () => {
  const release = await takeOwnership(folder);
  await assert.rejects(takeOwnership(folder), DataFolderInUse);
  release();
  (await takeOwnership(folder))();
});

test('the owner’s file loses its force when its process ends', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  await writeFile(ownerFile, `${child.pid} 1`);
  (await takeOwnership(folder))();
  assert.deepEqual(await readdir(folder), []);
});

test('the owner’s file loses its force when another process gets the same pid', async () => {
  const release = await takeOwnership(folder);
  const [claim = ''] = await readdir(folder);
  const mine = await readFile(join(folder, claim), 'utf8');
  await writeFile(ownerFile, mine);
  release();
  await assert.rejects(takeOwnership(folder), DataFolderInUse);
  await writeFile(ownerFile, `${mine}0`);
  (await takeOwnership(folder))();
});

test('a folder whose owner has a pid of another container is in use while that owner listens', async () => {
  await writeFile(ownerFile, '1 1');
  const owner = createServer().listen(socketPath(folder));
  await once(owner, 'listening');
  await assert.rejects(takeOwnership(folder), /in use by a process of another container/);
  owner.close();
  await once(owner, 'close');
  (await takeOwnership(folder))();
});

test('a socket that a killed process left counts as not listening', async () => {
  assert.equal(await isListening(join(folder, 'none')), false);
  await writeFile(join(folder, 'stale'), '');
  assert.equal(await isListening(join(folder, 'stale')), false);
  assert.equal(await isListening(join(folder, 'x'.repeat(200))), false);
});
