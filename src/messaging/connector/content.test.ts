import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { Invalid } from '../../platform/problem.ts';
import { attachmentAddress } from '../attachments/address.ts';
import { contentOf } from './content.ts';

const base = testContext({ sql: noDatabase }, manualClock());
after(() => base.outbound.close());
const config = { ...base.config, publicUrl: 'http://192.168.1.5:3000' };
const projectId = randomUUID();

test('a file of the project is taken, although our address is private, and no other private address', async () => {
  const content = (url: string) => contentOf({ ...base, config }, projectId, { type: 'image', url });
  const fileOf = (project: string) =>
    attachmentAddress(config, { projectId: project, id: randomUUID() }, 'a.png');
  const own = fileOf(projectId);
  assert.deepEqual(await content(own), { content: { url: own } });
  const others = [fileOf(randomUUID()), `${config.publicUrl}/files/x/a.png`, `${config.publicUrl}/metrics`];
  for (const other of others) await assert.rejects(content(other), Invalid);
});
