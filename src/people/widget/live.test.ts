import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { testDatabase } from '../../../test/database.ts';
import { addWidget, localWake, next, openBrowser, startWidgetServer } from '../../../test/widget-harness.ts';
import { uuidv7 } from '../../platform/id.ts';

const { sql } = await testDatabase({ after });
const wake = localWake();
const complaints: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => complaints.push(line) });
const server = await startWidgetServer({ after }, sql, { wake, log });
const { clock } = server;

const echo = (n: number): string => `00000000-0000-4000-a000-${String(n).padStart(12, '0')}`;

test('a message from one browser appears in the other, and in another process', async () => {
  const elsewhere = await startWidgetServer({ after }, sql, { wake, clock });
  const { id } = await addWidget(server);
  const writer = await openBrowser(server, id, { id: 'ann' });
  const readers = [
    await openBrowser(server, id, { id: 'ann' }),
    await openBrowser(elsewhere, id, { id: 'ann' }),
  ];
  const streams = readers.map((reader) => reader.live(String(clock.now().getTime())));
  const heard = streams.map(next);
  const { body: sent } = await writer.write(echo(1), 'hello');
  for (const told of heard) assert.deepEqual((await told).message, sent);
  for (const stream of streams) await stream.return(undefined);
});

test('a new connection continues after the id of the last event', async () => {
  const { id } = await addWidget(server);
  const browser = await openBrowser(server, id, { id: 'ann' });
  const first = browser.live(String(clock.now().getTime()));
  const waiting = next(first);
  await browser.write(echo(1), 'one');
  const { id: lastId, message } = await waiting;
  assert.equal(message.text, 'one');
  await first.return(undefined);

  clock.advance(3_600_000);
  await browser.write(echo(2), 'two');
  clock.advance(3_600_000);
  const second = browser.live(lastId);
  const told = [(await next(second)).message.text, (await next(second)).message.text];
  // Repeated messages are possible: the browser recognizes them by their uuid.
  assert.deepEqual(told, ['one', 'two']);
  await second.return(undefined);
});

test('a client that can set headers resumes by Last-Event-ID', async () => {
  const { id } = await addWidget(server);
  const browser = await openBrowser(server, id, { id: 'ann' });
  const since = String(clock.now().getTime());
  clock.advance(3_600_000);
  await browser.write(echo(1), 'missed');
  clock.advance(3_600_000);
  const response = await fetch(`${server.address}/widget/${id}/live/`, {
    headers: {
      authorization: `Bearer ${browser.session}`,
      'last-event-id': since,
      origin: 'https://shop.test',
    },
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.includes('missed')) break;
  }
  assert.match(text, /^retry: 2000\n\n/);
});

/** Messages of 12 KiB from the team, one a minute from now on. The clock then shows the time after them. */
async function writeLarge(
  { projectId, id }: { projectId: string; id: string },
  count: number,
): Promise<void> {
  const content = { text: '€'.repeat(4_096) };
  const times = Array.from(
    { length: count },
    (_, minute) => new Date(clock.now().getTime() + minute * 60_000),
  );
  await sql`
    insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state,
      sent_at)
    select ${projectId}, given.id, chats.id, ${id}, 'out', 'push', 'TEXT', ${sql.json(content)}, given.at, 'SENT', given.at
    from unnest(${times.map((at) => uuidv7(at))}::uuid[], ${times}::timestamptz[]) as given (id, at), chats
    where chats.channel_id = ${id}`;
  clock.advance(count * 60_000);
}

/** A browser that has missed so many large messages since a time in milliseconds. */
async function missingLarge(count: number) {
  const widget = await addWidget(server);
  const browser = await openBrowser(server, widget.id, { id: 'ann' });
  await browser.write(echo(1), 'hello');
  clock.advance(3_600_000);
  const since = clock.now().getTime();
  await writeLarge(widget, count);
  return { browser, since };
}

test('a gap of more than a megabyte arrives whole, and each of its events has its own id', async () => {
  const { browser, since } = await missingLarge(90);
  const stream = browser.live(String(since));
  for (let minute = 0; minute < 90; minute += 1) {
    assert.equal((await next(stream)).id, String(since + minute * 60_000));
  }
  await stream.return(undefined);
});

test('a connection that breaks in a large gap continues where its browser stopped to read', async () => {
  const { browser, since } = await missingLarge(61);
  let known = String(since);
  for (let part = 0; part < 6; part += 1) {
    const stream = browser.live(known);
    for (let event = 0; event < 11; event += 1) known = (await next(stream)).id;
    await stream.return(undefined);
    assert.equal(known, String(since + (part + 1) * 10 * 60_000));
  }
});

test('a live connection needs a session, which is never part of an address', async () => {
  const { id } = await addWidget(server);
  const { session } = await openBrowser(server, id);
  assert.equal((await server.call('GET', `/widget/${id}/live/`)).status, 401);
  assert.equal((await server.call('GET', `/widget/${id}/live/?session=${session}`)).status, 401);
});

test('an eleventh connection of a chat must retry later', async () => {
  const { id } = await addWidget(server);
  const browser = await openBrowser(server, id, { id: 'ann' });
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${browser.session}` };
  const connect = () => fetch(`${server.address}/widget/${id}/live/`, { headers, signal: ending.signal });
  for (let n = 0; n < 10; n += 1) assert.equal((await connect()).status, 200);
  const refused = await connect();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
  ending.abort();
});

test('a disconnected browser frees its place, and is no failure', async () => {
  const { id } = await addWidget(server);
  const browser = await openBrowser(server, id, { id: 'ann' });
  const headers = { authorization: `Bearer ${browser.session}` };
  for (let n = 0; n < 30; n += 1) {
    const ending = new AbortController();
    let status = 429;
    // The server notices a closed connection a moment later.
    while (status === 429) {
      status = (await fetch(`${server.address}/widget/${id}/live/`, { headers, signal: ending.signal }))
        .status;
    }
    assert.equal(status, 200);
    ending.abort();
  }
  assert.deepEqual(complaints, []);
});

test("a stopping server ends its browsers' connections", async () => {
  const short = await startWidgetServer({ after }, sql, { wake, clock });
  const { id } = await addWidget(short);
  const browser = await openBrowser(short, id);
  const stream = browser.live();
  const ended = stream.next();
  // Data must have arrived before the connection is known to be open.
  await short.close();
  assert.equal((await ended.catch(() => ({ done: true }))).done, true);
});
