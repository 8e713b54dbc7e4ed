import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { sealSession } from '../../src/people/widget/visitor.ts';
import type { Lifetime } from '../harness.ts';
import { browserWith } from '../widget-harness.ts';
import { type Home, makeHome } from './home.ts';
import { type Program, startProgram } from './program.ts';
import { allDone, postMessage } from './traffic.ts';
import { until } from './until.ts';

/** Connections that are opened at the same time. */
const opening = 64;

type Connection = {
  request: ClientRequest;
  status: number;
  retryAfter: string | undefined;
  heard: string;
  /** Resolves when the connection is over. */
  closed: Promise<void>;
};

/** Visitors of the same widget, each in a chat of their own. */
export async function addVisitors(home: Home, channelId: string, count: number): Promise<string[]> {
  return home.within(async (context) =>
    Array.from({ length: count }, () =>
      sealSession(context, {
        channelId,
        address: `visitor:${context.newId()}`,
        name: null,
        keyVersion: null,
      }),
    ),
  );
}

/** A live connection. Resolves with its answer, or with the status 0 when the program closed it without one. */
export const connect = ({ address }: Program, channelId: string, session: string): Promise<Connection> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${session}` };
    const request = get(`${address}/widget/${channelId}/live/`, { headers, agent: false }, listen);
    const closed = new Promise<void>((over) => request.once('close', over));
    const unanswered = { request, status: 0, retryAfter: undefined, heard: '', closed };
    request.on('error', () => resolve(unanswered));
    function listen(response: IncomingMessage): void {
      const connection: Connection = {
        request,
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        heard: '',
        closed,
      };
      response.setEncoding('utf8');
      response.on('error', () => {});
      response.on('data', (text: string) => {
        connection.heard += text;
      });
      resolve(connection);
    }
  });

async function connectAll(program: Program, channelId: string, sessions: string[]): Promise<Connection[]> {
  const connections: Connection[] = [];
  const left = [...sessions];
  const work = async (): Promise<void> => {
    for (let session = left.pop(); session !== undefined; session = left.pop()) {
      connections.push(await connect(program, channelId, session));
    }
  };
  await Promise.all(Array.from({ length: opening }, work));
  return connections;
}

/** The memory of a process. */
function residentMb({ pid }: Program): number {
  const [, kb = ''] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

async function setUp(lifetime: Lifetime) {
  const home = await makeHome(lifetime);
  const program = await startProgram(lifetime, { ...home.environment, PATCHBAY_DEMO: 'off' });
  const partner = await home.addPartner(lifetime, program.call);
  const { projectId } = partner;
  const addWidget = () =>
    home.within((context) =>
      addChannel(context, { projectId, platform: 'Widget', name: 'Shop', settings: {} }),
    );
  const { chat } = await partner.client('ann');
  let posted = 0;
  return {
    home,
    program,
    partner,
    addWidget,
    /** Posts messages one after another. Returns the time that the slowest took to be accepted. */
    async post(count: number): Promise<number> {
      let slowestMs = 0;
      for (let n = 0; n < count; n += 1) {
        const begun = performance.now();
        const { status } = await postMessage(program.call, partner, chat, posted);
        posted += 1;
        assert.equal(status, 201);
        slowestMs = Math.max(slowestMs, performance.now() - begun);
      }
      return Math.round(slowestMs);
    },
    /** Checks that every accepted message was sent. */
    async settle(): Promise<void> {
      await allDone(home);
      assert.equal(
        new Set(partner.messenger.deliveries.map(({ body }) => body.payload.message.uuid)).size,
        posted,
      );
    },
  };
}

/**
 * Connects as many visitors as two widgets may have in one process, and one more. Meanwhile messages are accepted and
 * sent, and a visitor hears their own. Then all leave, and another visitor is admitted.
 */
export async function holdConnections(lifetime: Lifetime, ofEach: number, isFull: boolean) {
  const { home, program, addWidget, post, settle } = await setUp(lifetime);
  const widgets = [await addWidget(), await addWidget()];
  const atRestMb = residentMb(program);
  const begun = performance.now();
  const held: Connection[] = [];
  const sessions = new Map<string, string[]>();
  for (const { id } of widgets) {
    sessions.set(id, await addVisitors(home, id, ofEach));
    held.push(...(await connectAll(program, id, sessions.get(id) ?? [])));
  }
  const openingMs = Math.round(performance.now() - begun);
  assert.ok(held.every(({ status }) => status === 200));
  const heldMb = residentMb(program);

  const [{ id: first } = { id: '' }] = widgets;
  const [another = ''] = await addVisitors(home, first, 1);
  if (isFull) {
    const refused = await connect(program, first, another);
    assert.deepEqual([refused.status, refused.retryAfter], [429, '30']);
  }
  const slowestMs = await post(50);
  const newsMs = await hear(program, first, (sessions.get(first) ?? [])[0] ?? '', held);
  await settle();

  for (const { request } of held) request.destroy();
  await until(async () => {
    const { status, request } = await connect(program, first, another);
    request.destroy();
    return status === 200;
  });
  assert.equal((await program.call('GET', '/readyz')).status, 200);
  assert.equal(await program.end('SIGTERM'), 0);
  const kbEach = Math.round(((heldMb - atRestMb) * 1024) / held.length);
  return { connections: held.length, openingMs, atRestMb, heldMb, kbEach, slowestMs, newsMs };
}

/**
 * Connects more visitors than the program may have open files. Checks that it survives, and that it sends every message
 * that it accepts meanwhile, at the latest when the visitors have left.
 */
export async function runOutOfFiles(lifetime: Lifetime, files: number) {
  const { home, program, addWidget, post, settle } = await setUp(lifetime);
  const { id } = await addWidget();
  const visitors = await addVisitors(home, id, 2 * files);
  await post(20);
  await promisify(execFile)('prlimit', ['--pid', `${program.pid}`, `--nofile=${files}`]);
  const connections = await connectAll(program, id, visitors);
  const admitted = connections.filter(({ status }) => status === 200).length;
  assert.ok(admitted > 0 && admitted < files, `${admitted} of ${files}`);
  // Through a connection that is open already.
  await post(20);

  for (const { request } of connections) request.destroy();
  const [another = ''] = visitors;
  await until(async () => {
    const { status, request } = await connect(program, id, another);
    request.destroy();
    return status === 200;
  });
  await settle();
  assert.equal((await program.call('GET', '/readyz')).status, 200);
  assert.equal(await program.end('SIGTERM'), 0);
  return { files, tried: connections.length, admitted };
}

/** The time until a visitor's live connection has the message that they write. */
async function hear(
  program: Program,
  channelId: string,
  session: string,
  held: Connection[],
): Promise<number> {
  const text = 'Is anybody there?';
  const begun = performance.now();
  const echo = '00000000-0000-4000-a000-000000000001';
  const { status } = await browserWith({ ...program }, channelId, session).write(echo, text);
  assert.equal(status, 201);
  await until(() => held.some(({ heard }) => heard.includes(text)));
  return Math.round(performance.now() - begun);
}
