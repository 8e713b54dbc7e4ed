import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
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
  assert.deepEqual(await readdir(folder), ['lock']);
});

test('the owner’s file loses its force when another process gets the same pid', async () => {
  const release = await takeOwnership(folder);
  const [claim = ''] = (await readdir(folder)).filter((name) => name.startsWith('owner.'));
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

/** Another process that owns the folder. */
async function otherOwner(t: TestContext) {
  const script = join(import.meta.dirname, '..', '..', '..', 'test', 'hold-folder.ts');
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  t.after(end);
  const complaints = text(child.stderr);
  await once(child.stdout, 'data');
  return { pid: child.pid, complaints, end };
}

test('a folder has one owner even where neither pids nor sockets tell of the other, and by every path', async (t) => {
  const { end } = await otherOwner(t);
  for await (const claim of glob(join(folder, 'owner*'))) await rm(claim);
  const path = `${folder}-by-another-path`;
  await symlink(folder, path);
  t.after(() => rm(path));
  for (const place of [folder, path])
    await assert.rejects(takeOwnership(place), /in use by a process of another container/);
  await end();
  (await takeOwnership(path))();
});

test('another process learns the owner’s pid, and the owner’s kill -9 frees the folder', async (t) => {
  const { pid, complaints, end } = await otherOwner(t);
  await assert.rejects(takeOwnership(folder), new RegExp(`in use by process ${pid}\\.`));
  await end();
  assert.equal(await complaints, '');
  (await takeOwnership(folder))();
});

test('a candidate that is refused leaves the folder free for the next one', async (t) => {
  const earlier = createServer().listen(socketPath(folder));
  t.after(() => void earlier.close());
  await once(earlier, 'listening');
  await assert.rejects(takeOwnership(folder), DataFolderInUse);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('owner.')),
    [],
  );
  earlier.close();
  await once(earlier, 'close');
  (await takeOwnership(folder))();
});
