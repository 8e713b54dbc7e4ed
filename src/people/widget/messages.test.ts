import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { addWidget, type Browser, openBrowser, startWidgetServer } from '../../../test/widget-harness.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);
let channel: { id: string; projectId: string };
let browser: Browser;

beforeEach(async () => {
  channel = await addWidget(server);
  browser = await openBrowser(server, channel.id, { id: 'ann', name: 'Ann' });
  server.clock.advance(60_000);
});

const echo = (n: number): string => `00000000-0000-4000-a000-${String(n).padStart(12, '0')}`;

const chatOfAnn = async (): Promise<string> => {
  const [chat] =
    await sql`select id from chats where project_id = ${channel.projectId} and external_id = 'user:ann'`;
  return chat?.id;
};

/** The team writes. `state` is the state of the message. */
async function tell(content: Record<string, unknown>, state = 'SENT', type = 'TEXT'): Promise<string> {
  const id = server.context.newId();
  const now = server.clock.now();
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, author_name,
      created_at, state, sent_at)
    values (${channel.projectId}, ${id}, ${await chatOfAnn()}, ${channel.id}, 'out', 'operator', ${type},
      ${sql.json(content as { text: string })}, 'Olga', ${now}, ${state}, ${state === 'SENT' ? now : null})`;
  return id;
}

const stateOf = async (id: string) => (await sql`select state from messages where id = ${id}`)[0]?.state;

test("a visitor's message is stored as theirs and shown again", async () => {
  const sent = await browser.write(echo(1), ' Hello <b>you</b> ');
  assert.equal(sent.status, 201);
  assert.deepEqual(sent.body, {
    uuid: sent.body.uuid,
    echo_id: echo(1),
    from: 'client',
    type: 'text',
    text: ' Hello <b>you</b> ',
    url: null,
    buttons: [],
    author: null,
    at: server.clock.now().toISOString(),
    seen: true,
  });
  const { body } = await browser.get('messages/');
  assert.deepEqual(body, {
    messages: [sent.body],
    older: null,
    live_since: String(server.clock.now().getTime()),
  });
});

test('the same echo id twice is one message and one answer, in any case', async () => {
  const id = 'abcdefab-0000-4000-a000-0123456789ab';
  const first = await browser.write(id, 'once');
  const second = await browser.write(id.toUpperCase(), 'twice');
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.equal((await browser.get('messages/')).body.messages.length, 1);
});

test("another visitor's echo id is no conflict", async () => {
  const other = await openBrowser(server, channel.id, { id: 'bob' });
  const mine = await browser.write(echo(1), 'mine');
  const theirs = await other.write(echo(1), 'theirs');
  assert.notEqual(theirs.body.uuid, mine.body.uuid);
  assert.equal(theirs.body.text, 'theirs');
});

test('a pressed button sends its payload', async () => {
  const pressed = await browser.post('messages/', {
    echo_id: echo(1),
    type: 'button',
    text: 'Yes',
    payload: 'yes',
  });
  const [row] = await sql`select content_type, content from messages where id = ${pressed.body.uuid}`;
  assert.deepEqual({ ...row }, { content_type: 'button', content: { text: 'Yes', payload: 'yes' } });
});

test('bad messages are refused field by field', async () => {
  for (const [body, field] of [
    [{ text: 'x' }, 'echo_id'],
    [{ echo_id: 'x', text: 'x' }, 'echo_id'],
    [{ echo_id: echo(1) }, 'text'],
    [{ echo_id: echo(1), text: ' \n ' }, 'text'],
    [{ echo_id: echo(1), text: 'x'.repeat(4097) }, 'text'],
    [{ echo_id: echo(1), text: 'x', type: 'image' }, 'type'],
  ] as const) {
    const { status, body: problems } = await browser.post('messages/', body);
    assert.deepEqual([status, Object.keys(problems)], [400, [field]]);
  }
  assert.equal((await browser.write(echo(2), '𝒳'.repeat(4096))).status, 201);
});

test('a flood from one chat is throttled, and only for a while', async () => {
  for (let n = 1; n <= 20; n += 1) assert.equal((await browser.write(echo(n), 'x')).status, 201);
  const refused = await browser.write(echo(21), 'x');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) <= 10);
  const other = await openBrowser(server, channel.id);
  assert.equal((await other.write(echo(1), 'x')).status, 201);
  server.clock.advance(10_000);
  assert.equal((await browser.write(echo(21), 'x')).status, 201);
});

test('the history has every message that was sent to the client, and no other', async () => {
  await browser.write(echo(1), 'hello');
  server.clock.advance(1000);
  const text = await tell({ text: 'text' });
  server.clock.advance(1000);
  const image = await tell({ url: 'https://cdn.test/a.png' }, 'SENT', 'image');
  for (const state of ['PENDING', 'IN_PROCESS', 'CANCELLED', 'UNDELIVERED', 'ERROR'])
    await tell({ text: state }, state);

  const { messages } = (await browser.get('messages/')).body;
  assert.deepEqual(
    messages.map(({ uuid, from, type, text, url, author, seen }: Record<string, unknown>) => [
      uuid,
      from,
      type,
      text,
      url,
      author,
      seen,
    ]),
    [
      [messages[0].uuid, 'client', 'text', 'hello', null, null, true],
      [text, 'team', 'text', 'text', null, 'Olga', false],
      [image, 'team', 'image', null, 'https://cdn.test/a.png', 'Olga', false],
    ],
  );
});

test('buttons reach the browser', async () => {
  await browser.write(echo(1), 'hello');
  const buttons = [
    { text: 'Yes', payload: 'yes' },
    { text: 'Shop', url: 'https://shop.test/' },
  ];
  await tell({ text: 'Well?', buttons });
  assert.deepEqual((await browser.get('messages/')).body.messages.at(-1).buttons, buttons);
});

test('a long history comes page by page, every message once, in order', async () => {
  await browser.write(echo(1), 'first');
  const chatId = await chatOfAnn();
  // Pairs share their time, so that the pages' edges fall between messages of one time.
  for (let n = 1; n <= 74; n += 1) {
    if (n % 2 === 1) server.clock.advance(1000);
    await tell({ text: String(n) });
  }
  const texts: string[] = [];
  let path = 'messages/';
  for (let pages = 1; path !== ''; pages += 1) {
    const { body } = await browser.get(path);
    texts.unshift(...body.messages.map(({ text }: { text: string }) => text));
    path = body.older ? `messages/?before=${body.older}` : '';
    assert.ok(pages <= 3);
  }
  assert.deepEqual(texts, ['first', ...Array.from({ length: 74 }, (_value, n) => String(n + 1))]);
  assert.ok(chatId);
});

test('a message that waited for its launch is placed by its sending, not by its creation', async () => {
  await browser.write(echo(1), 'hello');
  const late = await tell({ text: 'late' }, 'PENDING');
  server.clock.advance(60_000);
  await tell({ text: 'early' });
  server.clock.advance(60_000);
  await sql`update messages set state = 'IN_PROCESS' where id = ${late}`;
  await sql`update messages set state = 'SENT', sent_at = ${server.clock.now()} where id = ${late}`;
  const { messages } = (await browser.get('messages/')).body;
  assert.deepEqual(
    messages.map(({ text }: { text: string }) => text),
    ['hello', 'early', 'late'],
  );
});

test('a shown message is delivered, and a seen one is read', async () => {
  await browser.write(echo(1), 'hello');
  const id = await tell({ text: 'news' });
  assert.equal((await browser.post('receipts/', { state: 'delivered', messages: [id] })).status, 204);
  assert.equal(await stateOf(id), 'DELIVERED');
  assert.equal((await browser.post('receipts/', { state: 'read', messages: [id] })).status, 204);
  assert.equal(await stateOf(id), 'READ');
  assert.equal((await browser.get('messages/')).body.messages.at(-1).seen, true);
  await browser.post('receipts/', { state: 'delivered', messages: [id] });
  assert.equal(await stateOf(id), 'READ');
});

test("a visitor cannot mark another visitor's message, nor one that was not sent yet", async () => {
  await browser.write(echo(1), 'hello');
  const id = await tell({ text: 'for Ann' });
  const waiting = await tell({ text: 'not yet' }, 'IN_PROCESS');
  const other = await openBrowser(server, channel.id, { id: 'bob' });
  await other.write(echo(1), 'hello');
  assert.equal((await other.post('receipts/', { state: 'read', messages: [id] })).status, 204);
  assert.equal(await stateOf(id), 'SENT');
  assert.equal((await browser.post('receipts/', { state: 'read', messages: [waiting] })).status, 204);
  assert.equal(await stateOf(waiting), 'IN_PROCESS');
});

test("a visitor sees no other visitor's messages", async () => {
  await browser.write(echo(1), 'secret');
  const other = await openBrowser(server, channel.id, { id: 'bob' });
  assert.deepEqual((await other.get('messages/')).body.messages, []);
});

test('a malformed cursor is refused', async () => {
  assert.equal((await browser.get('messages/?before=x')).status, 400);
  assert.equal((await browser.get("messages/?before=1.'; drop table messages")).status, 400);
  assert.equal((await browser.get(`messages/?before=99999999999999.${echo(1)}`)).status, 200);
  assert.equal((await browser.get(`messages/?before=1.${'-'.repeat(36)}`)).status, 400);
});
