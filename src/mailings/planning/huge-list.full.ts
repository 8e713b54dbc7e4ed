import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startFileServer } from '../../../test/faults/file-server.ts';
import { claimOne, never, seedMailing, startScene, stateOf } from '../../../test/planning-scene.ts';
import { seedProject } from '../../../test/seed.ts';
import { workOn } from './engine.ts';

const { context, sql } = await startScene({ after, beforeEach });

test('a small file that becomes a huge list by its headings is refused, and nothing of it is kept', async () => {
  const headings = Array.from({ length: 20 }, (_, index) => `${'h'.repeat(3_000)}${index}`);
  const lines = `c,${headings.map(() => '').join(',')}\n`.repeat(5_000);
  const url = await startFileServer({ after }, (_request, response) =>
    response.end(`external_id,${headings.join(',')}\n${lines}`),
  );
  const project = await seedProject(sql);
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  for (let held = await claimOne(context); held; held = await claimOne(context))
    await workOn(context, held, never);
  const { state, state_detail } = await stateOf(context, id);
  assert.equal(state, 'error');
  assert.match(state_detail, /more than 256 MiB of text/);
  assert.deepEqual([...(await sql`select list from mailing_identifiers where mailing_id = ${id}`)], []);
});
