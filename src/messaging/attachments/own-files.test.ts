import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { createOutbound, OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import { attachmentAddress } from './address.ts';
import { createAttachment, fileName } from './create.ts';
import { filesOf } from './files.ts';
import { outboundWithFiles } from './own-files.ts';
import { deleteFiles } from './store.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-own-files-'));
after(() => rm(dataDir, { recursive: true }));
const base = testContext(await testDatabase({ after }), manualClock());
// Nothing is allowed beyond the public internet, and our own address is not on it.
const outbound = createOutbound({ allow: [], log: base.log });
after(() => outbound.close());
const config = { ...base.config, dataDir, publicUrl: 'http://127.0.0.1:1' };
const context = { ...base, config, outbound };
const projectId = await seedProject(context.sql);

async function upload(bytes: Buffer, name = 'list.pdf') {
  const file = { projectId, name, bytes: Readable.from([bytes]), uploader: 'member' as const, anyType: true };
  const { uuid, url } = await createAttachment(context, file);
  return { key: { projectId, id: uuid }, url };
}

const limits = { timeoutMs: 60_000, maxResponseBytes: 1_000_000 };
const get = (
  url: string,
  more: { maxResponseBytes?: number; signal?: AbortSignal } = {},
  project = projectId,
) => outboundWithFiles(context, project).request({ url, method: 'GET', ...limits, ...more });
const called = (call: Promise<unknown>) => assert.rejects(call, OutboundRefused);

test('a project’s own file is read from the storage, although its address is private', async () => {
  const bytes = Buffer.from('%PDF-1.4 prices');
  const { url } = await upload(bytes);
  const { status, headers, body, truncated } = await get(url);
  assert.deepEqual([status, body, truncated], [200, bytes, false]);
  assert.equal(headers['content-type'], 'application/pdf');
  assert.equal(headers['content-length'], String(bytes.length));
  assert.deepEqual((await get(url.replace(/[^/]+$/, 'other.pdf'))).body, bytes);
});

test('only an address that we made opens a file, and only that project’s own', async () => {
  const { url, key } = await upload(Buffer.from('secret'));
  await called(get(url, {}, await seedProject(context.sql)));
  await called(get(url.replace('127.0.0.1:1/', '127.0.0.1:2/')));
  await called(get(url.replace('/files/', '/other/')));
  await called(get(`${url}/more`));
  await called(get(attachmentAddress({ ...config, secretKey: 'another' }, key, 'list.pdf')));
  await called(get(attachmentAddress(config, { projectId, id: randomUUID() }, 'list.pdf')));
  const token = url.split('/').at(-2) ?? '';
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  await called(get(url.replace(token, forged)));
  await called(get(`${config.publicUrl}/files/..%2f..%2fetc/passwd`));
  const post = { url, method: 'POST', body: 'x', ...limits } as const;
  await called(outboundWithFiles(context, projectId).request(post));
});

test('a file that was removed is not read', async () => {
  const { url, key } = await upload(Buffer.from('old'));
  await filesOf(config).remove(fileName(key));
  assert.equal((await get(url)).status, 404);
  await deleteFiles(context.sql, projectId, [key.id]);
  await called(get(url));
});

test('the limits of a call hold for our own files', async () => {
  const bytes = randomBytes(300_000);
  const { url } = await upload(bytes);
  assert.deepEqual((await get(url)).body, bytes);
  const cut = await get(url, { maxResponseBytes: 100_000 });
  assert.deepEqual([cut.truncated, cut.body], [true, bytes.subarray(0, 100_000)]);
  const given = new AbortController();
  const late = get(url, { signal: given.signal });
  given.abort();
  await assert.rejects(late, (error) => error instanceof OutboundFailed && error.kind === 'aborted');
});
