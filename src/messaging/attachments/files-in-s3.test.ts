import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startObjectStorage } from '../../../test/stand-ins/s3.ts';
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

test('a file whose answer has begun may come slowly', async (t) => {
  let finish = () => {};
  const server = createServer((_request, response) => {
    response.write('a ');
    finish = () => void response.end('file');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the storage has no port');
  const answerMs = 2_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const file = await filesInS3(
    { ...storage.settings, endpoint: `http://127.0.0.1:${address.port}` },
    answerMs,
  ).read('a/b');
  t.mock.timers.tick(answerMs + 1);
  finish();
  assert.ok(file);
  assert.equal(String(await buffer(file)), 'a file');
});
