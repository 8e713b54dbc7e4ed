import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { seedProject } from '../../../test/seed.ts';
import { startObjectStorage } from '../../../test/stand-ins/s3.ts';
import { HttpProblem } from '../../platform/http/errors.ts';
import { Invalid, Unavailable } from '../../platform/problem.ts';
import { attachmentAddress } from './address.ts';
import { createAttachment, fileName } from './create.ts';
import { filesOf } from './files.ts';
import { forgetUnusedAttachments } from './forget-unused.ts';
import type { Uploader } from './room.ts';
import { takeAttachment } from './take.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-files-'));
after(() => rm(dataDir, { recursive: true }));
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { dataDir, roles: ['api'] }, clock });
const { context } = patchbay;
const storage = await startObjectStorage({ after });
const projectId = await seedProject(context.sql);

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const upload = (name: string, bytes: Buffer | string, by?: string) =>
  createAttachment(context, {
    uploader: 'member',
    projectId,
    name,
    bytes: Readable.from([Buffer.from(bytes)]),
    ...(by !== undefined && { by }),
  });
const pathOf = (url: string) => url.replace(context.config.publicUrl, '');
const get = (url: string, method = 'GET') => fetch(patchbay.address + pathOf(url), { method });
const stored = () => readdirSync(join(dataDir, 'files', projectId));
const drafts = () => readdirSync(join(dataDir, 'files', 'drafts'));

test('a picture is served to everybody who knows its address, under its real type, and runs nothing', async () => {
  const { uuid, url, ...told } = await upload('cat.png', picture);
  assert.deepEqual(told, { name: 'cat.png', type: 'image/png', size: picture.length });
  assert.match(url, /^https:\/\/patchbay\.test\/files\/[\w-]{64}\/cat\.png$/);
  const answer = await get(url);
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
  const expected = {
    'content-type': 'image/png',
    'content-length': String(picture.length),
    'content-disposition': `inline; filename="cat.png"; filename*=UTF-8''cat.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=31536000, immutable',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers.get(name), value, name);
  const head = await get(url, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(picture.length)]);

  const file = join(dataDir, 'files', projectId, uuid);
  assert.deepEqual(readFileSync(file), picture);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(dataDir, 'files')).mode & 0o777, 0o700);
});

test('a document is saved under its own name, in any alphabet', async () => {
  const { url, type } = await upload('Счёт "№ 5" 100%.txt', 'Итого: 5');
  assert.equal(type, 'text/plain');
  const answer = await get(url);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  const disposition = answer.headers.get('content-disposition') ?? '';
  assert.match(disposition, /^attachment; filename="_+ __ 5_ 100_\.txt"; filename\*=UTF-8''/);
  assert.equal(decodeURIComponent(disposition.split("''")[1] ?? ''), 'Счёт "№ 5" 100%.txt');
});

const refused: [what: string, name: string, bytes: Buffer | string][] = [
  ['a drawing that calls itself a picture', 'cat.png', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a drawing with a declaration', 'cat.svg', '<?xml version="1.0"?><svg/>'],
  ['a page', 'a.html', '\n <!doctype html><script>alert(1)</script>'],
  ['a page behind a byte order mark', 'a.txt', '\ufeff<html>'],
  ['a program', 'setup.exe', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
  ['bytes of no known type', 'a.pdf', Buffer.from([0, 1, 2, 3])],
  ['a text that is not UTF-8', 'a.txt', Buffer.from([0x68, 0xff, 0xfe])],
  ['nothing', 'a.txt', ''],
];

test('a file that could be run, or that is not of its stated type, is refused and not stored', async (t) => {
  const before = stored().length;
  for (const [what, name, bytes] of refused) {
    await t.test(what, () =>
      assert.rejects(upload(name, bytes), (error) => error instanceof Invalid && 'file' in error.fields),
    );
  }
  assert.deepEqual([stored().length, drafts()], [before, []]);
});

const names: [given: string, kept: string][] = [
  ['photo', 'photo.png'],
  ['photo.html', 'photo.html.png'],
  ['../../etc/passwd.png', 'passwd.png'],
  ['C:\\temp\\a.PNG', 'a.png'],
  ['a\u202egnp.exe\u0000.png', 'agnp.exe.png'],
  ['  .png', 'file.png'],
  ['', 'file.png'],
  [`${'я'.repeat(300)}.png`, `${'я'.repeat(196)}.png`],
];

test('a stored name contains nothing misleading', async () => {
  for (const [given, kept] of names) assert.equal((await upload(given, picture)).name, kept);
  assert.equal((await upload('list.csv', 'BMW;5')).name, 'list.csv');
});

test('an unknown address is not found', async () => {
  const { url } = await upload('cat.png', picture);
  const [, token = ''] = /files\/([\w-]+)/.exec(url) ?? [];
  const other = token.startsWith('A') ? 'B' : 'A';
  for (const wrong of [other + token.slice(1), token.slice(0, -2), `${token.slice(0, -1)}_x`, 'x']) {
    assert.equal((await get(url.replace(token, wrong))).status, 404, wrong);
  }
});

test('a file that was written but not recorded, as in a crash, is invisible; so is a removed one', async () => {
  const unrecorded = { projectId, id: context.newId() };
  const draft = join(dataDir, 'files', 'draft');
  writeFileSync(draft, picture);
  await filesOf(context.config).take(fileName(unrecorded), draft, 'image/png');
  assert.equal((await get(attachmentAddress(context.config, unrecorded, 'cat.png'))).status, 404);
  const { url, uuid } = await upload('cat.png', picture);
  await rm(join(dataDir, 'files', projectId, uuid));
  assert.equal((await get(url)).status, 404);
});

test('only the client who uploaded a file can send it, and an unsent file is removed within an hour', async () => {
  const sent = await upload('sent.png', picture, 'ann');
  const idle = await upload('idle.png', picture, 'ann');
  const other = await seedProject(context.sql);
  const take = (by: string, project = projectId) =>
    takeAttachment(context, { projectId: project, uuid: sent.uuid, by });
  assert.equal(await take('bob'), null);
  assert.equal(await take('ann', other), null);
  assert.deepEqual(await take('ann'), sent);

  clock.advance(50 * 60_000);
  await forgetUnusedAttachments(context);
  assert.equal((await get(sent.url)).status, 200);
  assert.equal((await get(idle.url)).status, 404);
  assert.ok(!stored().includes(idle.uuid));
});

test('object storage keeps files too, and a file that it refuses is not announced', async (t) => {
  const other = await startPatchbay(t, {
    config: { ...context.config, s3: storage.settings },
    clock,
  });
  const project = await seedProject(other.context.sql);
  const { url, uuid } = await createAttachment(other.context, {
    uploader: 'member',
    projectId: project,
    name: 'cat.png',
    bytes: Readable.from([picture]),
    by: 'ann',
  });
  const object = storage.objects.get(`/files/${project}/${uuid}`);
  assert.deepEqual([object?.type, object?.bytes], ['image/png', picture]);
  const read = async () => {
    const answer = await fetch(other.address + pathOf(url));
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  assert.deepEqual(await read(), { status: 200, bytes: picture });
  storage.failWith('hangs up');
  assert.equal((await read()).status, 503);
  storage.failWith(403);
  assert.equal((await read()).status, 503);
  await assert.rejects(
    createAttachment(other.context, {
      uploader: 'member',
      projectId: project,
      name: 'a',
      bytes: Readable.from([picture]),
    }),
    Unavailable,
  );
  storage.failWith(null);
  clock.advance(50 * 60_000);
  await forgetUnusedAttachments(other.context);
  assert.deepEqual([storage.objects.size, (await read()).status], [0, 404]);
});

async function* broken() {
  yield picture;
  throw new Error('gone');
}

test('an incomplete upload leaves nothing, and the leftovers of a killed process are removed', async () => {
  const before = stored().length;
  await assert.rejects(
    createAttachment(context, { uploader: 'member', projectId, name: 'a.png', bytes: broken() }),
    /gone/,
  );
  assert.deepEqual([stored().length, drafts()], [before, []]);
  const left = join(dataDir, 'files', 'drafts', 'left');
  writeFileSync(left, picture);
  const long = new Date(clock.now().getTime() - 3_600_000);
  utimesSync(left, long, long);
  await forgetUnusedAttachments(context);
  assert.deepEqual(drafts(), []);
});

test("a project's files have a quota in bytes, and the removal of unused files frees room", async () => {
  const small = { ...context, config: { ...context.config, projectStorageBytes: 2 * picture.length } };
  const project = await seedProject(context.sql);
  const one = (by?: string) =>
    createAttachment(small, {
      uploader: 'member',
      projectId: project,
      name: 'cat.png',
      bytes: Readable.from([picture]),
      ...(by !== undefined && { by }),
    });
  const outcomes = await Promise.allSettled([one(), one('ann'), one('ann'), one('ann')]);
  const refusals = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refusals.length, 2);
  await assert.rejects(one(), /no room/);
  assert.equal(readdirSync(join(dataDir, 'files', project)).length, 2);
  clock.advance(50 * 60_000);
  await forgetUnusedAttachments(context);
  await one();
});

test('strangers leave room for the project’s clients, and these for its own people', async () => {
  const small = { ...context, config: { ...context.config, projectStorageBytes: 10 * picture.length } };
  const project = await seedProject(context.sql);
  const filledBy = async (uploader: Uploader): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const upload = { projectId: project, name: 'cat.png', bytes: Readable.from([picture]), uploader };
      try {
        await createAttachment(small, upload);
      } catch (error) {
        assert.ok(error instanceof HttpProblem);
        return count;
      }
    }
  };
  assert.deepEqual(
    [await filledBy('visitor'), await filledBy('client'), await filledBy('member')],
    [5, 3, 2],
  );
});
