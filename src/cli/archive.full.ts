import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
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

async function patchbay(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '..', 'main.ts'), ...words],
    {
      cwd: folder,
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        PATCHBAY_SECRET_KEY: secretKey,
        PATCHBAY_DATA_DIR: dataDir,
        ...database.environment,
      },
    },
  );
  return stdout;
}

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
