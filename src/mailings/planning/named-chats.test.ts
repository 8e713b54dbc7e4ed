import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startFileServer } from '../../../test/faults/file-server.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { planAll, problemsOf } from '../../../test/planning-scene.ts';
import { noon, seedChat, seedProfile } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';

/** Source: docs/contract.md, section 5, "One chat per profile": `CHAT_UUID` means exactly the named chats. */

const clock = manualClock();
// Without workers: the test plans itself, and nothing is sent.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const { projectId, key, channel } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });
const other = await addChannel(context, {
  projectId,
  platform: 'Widget',
  name: 'Site',
  settings: { allowed_origins: 'https://shop.test' },
});

let lines: string[] = [];
const url = await startFileServer({ after }, (_request, response) => response.end(`${lines.join('\n')}\n`));

/** A client with two chats. The newer one was active last. */
async function clientOfTwo() {
  const profileId = await seedProfile(sql, projectId);
  const older = await seedChat(sql, projectId, { channelId: channel.id, profileId });
  const newer = await seedChat(sql, projectId, {
    channelId: other.id,
    platform: 'Widget',
    profileId,
    last_active_at: new Date(noon.getTime() + 60_000),
  });
  return { older, newer };
}

let ann: { older: string; newer: string };
let bob: { older: string; newer: string };

beforeEach(async () => {
  await sql`update mailings set due_at = null`;
  ann = await clientOfTwo();
  bob = await clientOfTwo();
});

const audienceOf = (named: readonly string[], besides: object = {}) => ({
  text: 'Hello',
  customer_filter_field: 'CHAT_UUID',
  customer_filter_array: named,
  ...besides,
});

async function planned(audience: object, atOnce?: number): Promise<{ id: string; chats: string[] }> {
  const made = await call('POST', '/api/partners/mailings/', {
    headers: key,
    body: { name: 'Sale', ...audience },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const id: string = made.body.uuid;
  if (atOnce)
    await sql`update mailings set progress = progress || ${sql.json({ at_once: atOnce })} where id = ${id}`;
  await planAll(context);
  const rows = await sql<{ chat_id: string }[]>`select chat_id from messages where mailing_id = ${id}`;
  return { id, chats: rows.map(({ chat_id }) => chat_id).toSorted() };
}

const fileOf = (named: readonly string[]) => {
  lines = ['chat_uuid', ...named];
  return { text: 'Hello', customer_filter_field: 'CHAT_UUID', customer_filter_file: url };
};

for (const [form, audience] of [
  ['an array', audienceOf],
  ['a file', fileOf],
] as const) {
  test(`${form} of chats means those chats, even if their clients were active in others later`, async () => {
    const { chats, id } = await planned(audience([ann.older, bob.newer]));
    assert.deepEqual(chats, [ann.older, bob.newer].toSorted());
    assert.deepEqual(await problemsOf(context, id), []);
  });

  test(`of two chats of a client in ${form} the most recently active gets the message, in one page or two`, async () => {
    for (const named of [
      [ann.older, ann.newer],
      [ann.newer, ann.older],
    ]) {
      assert.deepEqual((await planned(audience(named))).chats, [ann.newer]);
      assert.deepEqual((await planned(audience(named), 1)).chats, [ann.newer]);
    }
  });

  test(`a stopped chat in ${form} gets no message, and its client’s other chat gets none either`, async () => {
    await sql`update chats set stopped_at = ${noon} where id = ${ann.older}`;
    const { chats, id } = await planned(audience([ann.older, bob.older]));
    assert.deepEqual(chats, [bob.older]);
    const line = audience === fileOf ? 2 : 1;
    assert.deepEqual(await problemsOf(context, id), [[line, ann.older, 'This chat cannot be written to.']]);
  });
}

test('a filter beside named chats is applied to those chats', async () => {
  const filter_chats = { all: [{ type: 'attribute', platform: 'Widget' }] };
  const named = [ann.older, ann.newer, bob.older];
  assert.deepEqual((await planned(audienceOf(named, { filter_chats }))).chats, [ann.newer]);
});

test('a file and an array of chats must both name the chat itself', async () => {
  const both = { ...fileOf([ann.older, bob.older]), customer_filter_array: [ann.newer, bob.older] };
  assert.deepEqual((await planned(both)).chats, [bob.older]);
});

test('a line of a file gives its columns to the chat that it names', async () => {
  lines = ['chat_uuid,gift', `${ann.older},Mug`, `${ann.newer},Cap`];
  const { id, chats } = await planned({
    text: 'A {{gift}}',
    customer_filter_field: 'CHAT_UUID',
    customer_filter_file: url,
  });
  assert.deepEqual(chats, [ann.newer]);
  const rows = await sql`select content from messages where mailing_id = ${id}`;
  assert.deepEqual([...rows], [{ content: { variables: { gift: 'Cap' } } }]);
});

test('the console counts named chats, and not the clients behind them', async () => {
  const count = async (named: string[]) => {
    const { body } = await call('POST', '/console/api/mailings/audience/', {
      headers,
      body: audienceOf(named),
    });
    return [body.count, body.platforms];
  };
  assert.deepEqual(await count([ann.older]), [1, [{ platform: 'API_Messenger', count: 1 }]]);
  assert.deepEqual(await count([ann.older, ann.newer]), [1, [{ platform: 'Widget', count: 1 }]]);
});

test('a resend to named chats goes to those chats', async () => {
  const { id } = await planned(audienceOf([ann.older]));
  await sql`update messages set state = 'IN_PROCESS' where mailing_id = ${id}`;
  await sql`update messages set state = 'UNDELIVERED' where mailing_id = ${id}`;
  await sql`update mailings set state = 'completed', stage = null, due_at = null where id = ${id}`;
  const { status, body } = await call('POST', `/console/api/mailings/${id}/resend/`, {
    headers,
    body: { name: 'Again' },
  });
  assert.equal(status, 201, JSON.stringify(body));
  await planAll(context);
  const rows = await sql`select chat_id from messages where mailing_id = ${body.uuid}`;
  assert.deepEqual([...rows], [{ chat_id: ann.older }]);
});
