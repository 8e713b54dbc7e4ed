import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Refused } from '../../platform/problem.ts';
import { readAhead } from '../../platform/read-ahead.ts';
import { type FilePart, writeFiles } from './backed-up-files.ts';
import { filesInFolder } from './files-in-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-backed-up-'));
after(() => rmSync(folder, { recursive: true }));
const files = filesInFolder(join(folder, 'data', 'files'));

async function* backup(file: string): AsyncGenerator<FilePart> {
  yield { file, mediaType: 'text/plain' };
  yield { bytes: Buffer.from('planted').toString('base64') };
}

const uuid = '01990000-0000-7000-8000-000000000001';

test('a file of a backup is written among the files of a project, and nowhere else', async () => {
  assert.equal(await writeFiles(files, readAhead(backup(`${uuid}/${uuid}`))), 1);
  const before = readdirSync(folder, { recursive: true }).sort();
  const names = ['../../planted', `${uuid}/../../../planted`, '/tmp/planted', `${uuid}/${uuid}/x`, uuid, ''];
  for (const name of names) {
    await assert.rejects(writeFiles(files, readAhead(backup(name))), Refused, name);
  }
  assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
});
