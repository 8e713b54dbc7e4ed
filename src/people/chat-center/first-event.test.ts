import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { connectLive } from '../../../test/live-chats.ts';
import { partsOf } from '../../../test/parts-of.ts';
import { signIn } from '../../../test/person.ts';
import { createSql, type Query } from '../../platform/database/sql.ts';

const database = await testDatabase({ after });
/** The question whether a reader's cursor is known waits for this. */
let known = Promise.resolve();
const sql = Object.assign(
  createSql(async ({ text, values, isOne }: Query) => {
    if (text.includes('exists (select from chat_news')) await known;
    const strings = text.split(/\$\d+/);
    const rows = isOne
      ? await database.sql<object[]>(Object.assign(strings, { raw: strings }), ...values)
      : await database.sql.unsafe<object[]>(text);
    return { rows, count: rows.length };
  }),
  partsOf(database.sql),
);
const patchbay = await startPatchbay({ after }, { database: { ...database, sql } });
const { context, address } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const olga = await signIn(context, { projectId, role: 'operator', name: 'Olga' });
await partner.client('Ann');

test('the first event of a connection is `ready`, also when others are sent counts before it', async (t) => {
  const held = Promise.withResolvers<void>();
  const other = await connectLive(t, address, olga.headers);
  await other.until('counts');
  known = held.promise;
  const connecting = connectLive(t, address, olga.headers, other.lastId());
  await partner.client('Zoe');
  await other.until('counts', ({ unread }) => unread === 2);
  held.resolve();
  assert.equal((await connecting).heard[0]?.event, 'ready');
});
