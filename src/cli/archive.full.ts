import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { manualClock } from '../../test/clock.ts';
import { testContext } from '../../test/context.ts';
import { testDatabase } from '../../test/database.ts';
import { seedProject } from '../../test/seed.ts';
import { keepForEver } from '../access/projects/retention.ts';
import { setRetention } from '../access/projects/retention-store.ts';
import { ensurePartitions } from '../platform/database/partitions.ts';
import { uuidv7 } from '../platform/id.ts';
import { removeOld } from '../retention/retention.ts';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const database = await testDatabase({ after });
const { sql } = database;
const context = testContext(database, manualClock());
after(() => context.outbound.close());
const folder = await mkdtemp(join(tmpdir(), 'patchbay-archive-'));
after(() => rm(folder, { recursive: true }));
const secretKey = randomBytes(32).toString('base64');
const { PATCHBAY_DATA_DIR: dataDir } = { PATCHBAY_DATA_DIR: folder, ...database.environment };

const run = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '..', 'main.ts'), ...words], {
    cwd: folder,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      PATCHBAY_SECRET_KEY: secretKey,
      PATCHBAY_DATA_DIR: dataDir,
      ...database.environment,
    },
  });

const patchbay = async (...words: string[]): Promise<string> => (await run(...words)).stdout;

test('the command line says what will go, and reads what is gone', async () => {
  const january = new Date('2020-01-10T00:00:00.000Z');
  await ensurePartitions(sql, january, 1);
  const projectId = await seedProject(sql);
  const [olga, ivan] = [uuidv7(january), uuidv7(january)];
  for (const [id, name] of [
    [olga, 'Olga'],
    [ivan, 'Ivan'],
  ]) {
    await sql`
      insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
      values (${projectId}, ${id}, ${id}, 'created', '{}', 'person', ${name}, ${january})`;
  }
  assert.match(await patchbay('retention'), /for ever/);
  await setRetention(sql, {
    projectId,
    id: uuidv7(january),
    author: { id: uuidv7(january), name: 'Olga' },
    becomes: { ...keepForEver, audit: 12 },
    now: january,
  });
  const planned = JSON.parse(await patchbay('retention', '--json')).planned;
  assert.deepEqual(planned, [{ project: projectId, table: 'profile_audit', month: '202001', rows: 2 }]);

  const config = { ...context.config, dataDir, secretKey };
  await removeOld({ ...context, config }, new AbortController().signal);
  assert.deepEqual(JSON.parse(await patchbay('retention', '--json')).planned, []);
  const { archives } = JSON.parse(await patchbay('archive', 'list', '--project', projectId, '--json'));
  assert.equal(archives.length, 1);
  const [{ name, row_count }] = archives;
  assert.equal(row_count, 2);
  const lines = (await patchbay('archive', 'read', name)).trimEnd().split('\n');
  assert.deepEqual(lines.map((line) => JSON.parse(line).id).sort(), [olga, ivan].sort());
  const found = await patchbay('archive', 'read', name, '--where', 'actor_name=Ivan', 'action=created');
  assert.equal(JSON.parse(found).id, ivan);
  await assert.rejects(patchbay('archive', 'read', '../secret'), /There is no archive/);
});

/** A plain archive, as an earlier version or anybody with the storage may have written it. Its name has no end. */
async function addPlain(part: number, lines: string): Promise<string> {
  const name = { project_id: uuidv7(new Date(0)), table_name: 'messages', month: '202601', part };
  const packed = gzipSync(lines);
  const place = join(dataDir, 'archives', name.project_id);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, `messages-202601-${part}.jsonl.gz`), packed);
  const sha256 = createHash('sha256').update(packed).digest('hex');
  const manifest = { ...name, row_count: lines.split('\n').length - 1, bytes: packed.length, sha256 };
  await writeFile(join(place, `messages-202601-${part}.json`), JSON.stringify(manifest));
  return `${name.project_id}/messages-202601-${part}`;
}

test('a line of an archive that is no row is refused in words', async () => {
  const lines = ['null', '5', '"x"', '[]', '{bad', '', '{"a":"\u001b[2J"}'];
  const complaint = { code: 1, stderr: /\nLine 2 of the archive is not a row\.\n$/ };
  for (const [at, line] of lines.entries()) {
    const name = await addPlain(at + 1, `{"id":1}\n${line}\n`);
    await assert.rejects(patchbay('archive', 'read', name), complaint, line);
    await assert.rejects(patchbay('archive', 'read', name, '--where', 'chat_id=x'), complaint, line);
  }
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const name = await addPlain(lines.length + 1, `{"id":1}\n${deep}\n`);
  await assert.rejects(patchbay('archive', 'read', name, '--where', 'a=x'), complaint);
});

test('rows of a plain archive are printed with a note, and not under the name of an encrypted one', async () => {
  const name = await addPlain(1, '{"id":1}\n');
  const { stdout, stderr } = await run('archive', 'read', name);
  assert.equal(stdout, '{"id":1}\n');
  assert.match(stderr, /^Note: .* is not encrypted\. Nothing proves that its rows are genuine\.\n$/);
  await assert.rejects(run('archive', 'read', `${name}.jsonl.gz.sealed`), /is not encrypted, although/);
});
