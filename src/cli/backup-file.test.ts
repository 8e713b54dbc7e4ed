import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createZstdCompress } from 'node:zlib';
import { Refused } from '../platform/problem.ts';
import { sealFile } from '../platform/secrets/sealed-file.ts';
import { readBackup } from './backup-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-backup-file-'));
after(() => rmSync(folder, { recursive: true }));
const key = { secretKey: 'x'.repeat(32) };

/** A backup by somebody who knows the key. */
async function written(name: string, lines: string[]): Promise<string> {
  const path = join(folder, name);
  const packed = createZstdCompress();
  packed.end(lines.map((line) => `${line}\n`).join(''));
  const file = createWriteStream(path);
  for await (const piece of sealFile(packed, key)) file.write(piece);
  file.end();
  await once(file, 'finish');
  return path;
}

const uuid = '01990000-0000-7000-8000-000000000001';
const goodParts = [
  { keyMark: 'aa' },
  { migrations: [['0001_foundation.sql', 'aa']], months: ['202611'] },
  { table: 'projects', columns: ['id'] },
  { rows: ['(1)'] },
  { sequence: 'numbers', value: 3 },
  { file: `${uuid}/${uuid}`, mediaType: 'text/plain' },
  { bytes: 'aGk=' },
];

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of source) found.push(item);
  return found;
}

test('the parts of a backup are read as they were written', async () => {
  const path = await written(
    'good',
    goodParts.map((part) => JSON.stringify(part)),
  );
  assert.deepEqual(await all(readBackup(path, key)), goodParts);
});

const wrong: unknown[] = [
  null,
  5,
  'keyMark',
  [],
  {},
  { keyMark: 5 },
  { migrations: [null], months: [] },
  { migrations: [], months: ['abc'] },
  { table: 'projects', columns: 'id' },
  { rows: 5 },
  { rows: [5] },
  { sequence: 'numbers', value: 'x' },
  { file: 5, mediaType: 'text/plain' },
  { bytes: 5 },
];

for (const part of wrong) {
  test(`a backup with the part ${JSON.stringify(part)} is refused`, async () => {
    const path = await written('wrong', [JSON.stringify(part)]);
    await assert.rejects(all(readBackup(path, key)), Refused);
  });
}

test('a backup with a line that is no JSON is refused', async () => {
  await assert.rejects(all(readBackup(await written('text', ['{"rows": ']), key)), Refused);
});
