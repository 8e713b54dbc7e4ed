import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { startObjectStorage } from '../../../test/stand-ins/s3.ts';
import type { S3Settings } from '../../platform/config.ts';
import { Unavailable } from '../../platform/problem.ts';
import { filesInS3 } from './files-in-s3.ts';

const storage = await startObjectStorage({ after });
const folder = await mkdtemp(join(tmpdir(), 'patchbay-s3-'));
after(() => rm(folder, { recursive: true }));
const draft = join(folder, 'draft');
await writeFile(draft, 'a file');

test('a storage that begins no answer is left before long', async () => {
  const files = filesInS3(storage.settings, 20);
  storage.failWith('hangs');
  await assert.rejects(files.take('a/b', draft, 'text/plain'), Unavailable);
  await assert.rejects(files.read('a/b'), Unavailable);
  await assert.rejects(files.remove('a/b'), Unavailable);
});

/** A storage that gives this answer to every call. */
async function storageThat(t: TestContext, answer: (response: ServerResponse) => void): Promise<S3Settings> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the storage has no port');
  return { ...storage.settings, endpoint: `http://127.0.0.1:${address.port}` };
}

test('a file whose answer has begun may come slowly', async (t) => {
  let finish = () => {};
  const settings = await storageThat(t, (response) => {
    response.write('a ');
    finish = () => void response.end('file');
  });
  const answerMs = 2_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const file = await filesInS3(settings, answerMs).read('a/b');
  t.mock.timers.tick(answerMs + 1);
  finish();
  assert.ok(file);
  assert.equal(String(await buffer(file)), 'a file');
});

test('a file that breaks off before it is read fails for its reader alone', async (t) => {
  let cut = () => {};
  const settings = await storageThat(t, (response) => {
    response.write('a ');
    cut = () => void response.destroy();
  });
  const file = await filesInS3(settings).read('a/b');
  assert.ok(file);
  cut();
  while (!file.errored) await turnOfTheLoop();
  await assert.rejects(buffer(file));
});
