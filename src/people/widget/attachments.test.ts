import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { seedApplication, seedEndpoint } from '../../../test/seed.ts';
import { addWidget, type Browser, openBrowser, startWidgetServer } from '../../../test/widget-harness.ts';
import { attachmentLimit } from '../../messaging/attachments/schema.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);
const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-widget-'));
after(() => rm(dataDir, { recursive: true }));
server.context.config.dataDir = dataDir;

const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const echo = '00000000-0000-4000-a000-000000000001';

let channel: { id: string; projectId: string };
let browser: Browser;
beforeEach(async () => {
  channel = await addWidget(server);
  browser = await openBrowser(server, channel.id, { id: 'ann', name: 'Ann' });
  server.clock.advance(60_000);
});

async function upload(name: string, bytes: Buffer | string, { session }: Browser = browser) {
  const query = new URLSearchParams({ name });
  const response = await fetch(`${server.address}/widget/${channel.id}/attachments/?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, origin: 'https://shop.test' },
    body: new Uint8Array(Buffer.from(bytes)),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test("a visitor's picture is shown to them, can be fetched, and is announced with its address", async () => {
  await seedEndpoint(sql, channel.projectId, await seedApplication(sql));
  const { status, body: file } = await upload('cat.gif', gif);
  assert.equal(status, 201);
  const sent = await browser.post('messages/', { echo_id: echo, attachment: file.uuid });
  assert.equal(sent.status, 201);
  const { type, text, url } = sent.body;
  assert.deepEqual({ type, text, url }, { type: 'image', text: null, url: file.url });
  const fetched = await fetch(server.address + new URL(url).pathname);
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), gif);

  const again = await browser.post('messages/', { echo_id: echo, attachment: file.uuid });
  assert.deepEqual(again.body, sent.body);
  assert.equal((await browser.get('messages/')).body.messages.length, 1);
  const [event] = await sql`select body from events where project_id = ${channel.projectId}`;
  const { message } = JSON.parse(event?.body).payload;
  assert.deepEqual([message.type, message.url], ['image', file.url]);
});

test('any other file is a document, and may have a caption', async () => {
  const { body: file } = await upload('list.csv', 'a;b');
  const { body } = await browser.post('messages/', { echo_id: echo, text: 'Here', attachment: file.uuid });
  assert.deepEqual([body.type, body.text, body.url], ['document', 'Here', file.url]);
});

test("a visitor cannot send another visitor's upload", async () => {
  const { body: file } = await upload('cat.gif', gif);
  const other = await openBrowser(server, channel.id, { id: 'bob' });
  const unknown = server.context.newId();
  for (const uuid of [file.uuid, unknown]) {
    const refused = await other.post('messages/', { echo_id: echo, attachment: uuid });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.body, { attachment: [`Object with uuid=${uuid} does not exist.`] });
  }
});

test('a file that is too large, of unknown type, or without an owner is refused', async () => {
  assert.equal((await upload('big.txt', Buffer.alloc(attachmentLimit + 1, 'a'))).status, 413);
  const page = await upload('cat.gif', '<html>');
  assert.deepEqual(page, { status: 400, body: { file: ['Files of this type are not accepted.'] } });
  assert.equal((await upload('cat.gif', gif, { ...browser, session: 'x' })).status, 401);
});

test('many concurrent files are throttled, and only for a while', async () => {
  for (let n = 1; n <= 10; n += 1) assert.equal((await upload('cat.gif', gif)).status, 201);
  assert.equal((await upload('cat.gif', gif)).status, 429);
  server.clock.advance(60_000);
  assert.equal((await upload('cat.gif', gif)).status, 201);
});
