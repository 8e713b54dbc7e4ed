import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { noDatabase } from '../../../test/no-database.ts';
import { actionFor } from './action.ts';
import { sendCsv } from './csv-download.ts';
import { credentials, Unauthorized } from './errors.ts';
import { router } from './router.ts';
import { createServer } from './server.ts';

const pageRows = 500;
const idOf = (place: number): string => `00000000-0000-0000-0000-${String(place).padStart(12, '0')}`;

type Row = { id: string };

/** A server whose downloads have this many rows. `asked` has the ids behind which pages were read. */
async function serve(
  t: TestContext,
  rows: number,
  cellsOf = ({ id }: Row) => (id === idOf(2) ? null : [id, '=1+1']),
  gate = Promise.resolve(),
) {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  t.after(() => server.close());
  const asked: string[] = [];
  const rowsBehind = async (id: string, count: number) => {
    assert.equal(count, pageRows);
    asked.push(id);
    await gate;
    await new Promise(setImmediate);
    const begin = Number(id.slice(24)) + 1;
    const left = Math.max(0, Math.min(count, rows + 1 - begin));
    return Array.from({ length: left }, (_, index) => ({ id: idOf(begin + index) }));
  };
  server.get('/file/', ({ headers }, reply) =>
    sendCsv(reply, {
      projectId: String(headers.project),
      name: 'rows.csv',
      head: ['id', 'text'],
      rowsBehind,
      cellsOf,
    }),
  );
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  return { server, url: `${address}/file/`, asked };
}

test('a download has the mark of UTF-8, its columns and every row once, and no formula', async (t) => {
  const { url } = await serve(t, 2_500);
  const response = await fetch(url);
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="rows.csv"');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = bytes.subarray(3).toString().trimEnd().split('\r\n');
  assert.equal(lines[0], 'id,text');
  assert.deepEqual(lines.slice(1, 3), [`${idOf(1)},'=1+1`, `${idOf(3)},'=1+1`]);
  assert.deepEqual([lines.length, new Set(lines).size], [2_500, 2_500]);
});

test('an answer to HEAD reads no rows', async (t) => {
  const { url, asked } = await serve(t, 2_500);
  const { status } = await fetch(url, { method: 'HEAD' });
  assert.deepEqual([status, asked.length], [200, 0]);
});

test('a million rows are read no faster than the browser takes them, and a closing server ends them', async (t) => {
  const { server, url, asked } = await serve(t, 1_000_000);
  const got = Promise.withResolvers<IncomingMessage>();
  request(url, got.resolve).end();
  const response = await got.promise;
  // The browser takes nothing: the pages fill the buffers, and then no more are read.
  let before = -1;
  while (asked.length !== before) {
    before = asked.length;
    for (let turn = 0; turn < 2_000; turn += 1) await new Promise(setImmediate);
  }
  assert.ok(asked.length < 300, `${asked.length} pages were read`);
  const broken = new Promise<Error>((resolve) => response.once('error', resolve));
  await server.close();
  response.resume();
  assert.equal((await broken).message, 'aborted');
  assert.equal(response.complete, false);
});

/** Asks for a file and takes nothing of it. */
const ask = async (url: string, project: string) => {
  const asked = request(url, { headers: { project } });
  asked.on('error', () => {});
  const response = new Promise<IncomingMessage>((resolve) => asked.once('response', resolve));
  asked.end();
  return await response;
};

test('a project has four downloads at once, and those of others do not wait for them', async (t) => {
  const { url } = await serve(t, 1_000_000);
  const responses = await Promise.all(Array.from({ length: 12 }, () => ask(url, 'one')));
  t.after(() => responses.map((response) => response.destroy()));
  const held = responses.filter(({ statusCode }) => statusCode === 200);
  const refused = responses.filter(({ statusCode }) => statusCode === 429);
  assert.deepEqual([held.length, refused.length], [4, 8]);
  assert.equal(refused[0]?.headers['retry-after'], '5');
  const other = await ask(url, 'another');
  assert.equal(other.statusCode, 200);
  other.destroy();
  held[0]?.destroy();
  let again = await ask(url, 'one');
  while (again.statusCode === 429) {
    again.resume();
    again = await ask(url, 'one');
  }
  assert.equal(again.statusCode, 200);
  again.destroy();
});

test('a project reads one page at a time for all its downloads, and others have their turns between', async (t) => {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  t.after(() => server.close());
  const reading = { one: 0, most: 0, pages: 0 };
  const rowsBehind = async (id: string) => {
    reading.one += 1;
    reading.pages += 1;
    reading.most = Math.max(reading.most, reading.one);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    reading.one -= 1;
    return id < idOf(4) ? [{ id: idOf(Number(id.slice(24)) + 1) }] : [];
  };
  server.get('/file/', (_, reply) =>
    sendCsv(reply, {
      projectId: 'one',
      name: 'rows.csv',
      head: ['id'],
      rowsBehind,
      cellsOf: ({ id }) => [id],
    }),
  );
  const files = await Promise.all(Array.from({ length: 4 }, () => server.inject({ url: '/file/' })));
  assert.ok(files.every(({ body }) => body.trimEnd().split('\r\n').length === 5));
  assert.deepEqual(reading, { one: 0, most: 1, pages: 20 });
});

test('a download that nobody reads any more ends, also between rows that it leaves out', async (t) => {
  const { server, url, asked } = await serve(t, Number.MAX_SAFE_INTEGER, () => null);
  const response = await ask(url, 'one');
  response.destroy();
  while (server.downloads.running.size > 0) await new Promise(setImmediate);
  assert.ok(asked.length > 0);
});

test('a reader who leaves before the first rows are read takes no place', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { server, url } = await serve(t, 2_500, undefined, gate.promise);
  const asked = request(url, { headers: { project: 'one' } });
  const left = new Promise((resolve) => asked.once('error', resolve));
  asked.end();
  while (server.downloads.running.size === 0) await new Promise(setImmediate);
  asked.destroy();
  await left;
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  while ((await connections()) > 0) await new Promise(setImmediate);
  gate.resolve();
  while (server.downloads.running.size > 0) await new Promise(setImmediate);
});

test('a download ends with the credentials of its reader', async (t) => {
  const server = createServer({ log: pino({ level: 'silent' }), publicUrl: 'https://patchbay.test' });
  t.after(() => server.close());
  let isRevoked = false;
  const admit = () => {
    if (isRevoked) throw new Unauthorized(credentials.incorrect);
    return {};
  };
  const rowsBehind = async (id: string) => {
    await new Promise(setImmediate);
    const begin = Number(id.slice(24)) + 1;
    return Array.from({ length: pageRows }, (_, index) => ({ id: idOf(begin + index) }));
  };
  router(server, testContext({ sql: noDatabase }, manualClock()))(
    'GET',
    '/file/',
    { cors: false, admit },
    actionFor<object>()({
      handle: ({ reply }) =>
        sendCsv(reply, {
          projectId: 'one',
          name: 'rows.csv',
          head: ['id'],
          rowsBehind,
          cellsOf: ({ id }) => [id],
        }),
    }),
  );
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const response = await ask(`${address}/file/`, 'one');
  const broken = new Promise<Error>((resolve) => response.once('error', resolve));
  // The rows have no end.
  response.resume();
  isRevoked = true;
  assert.equal((await broken).message, 'aborted');
});
