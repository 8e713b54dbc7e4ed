import { Readable, Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import Type from 'typebox';
import type { Context } from '../src/platform/context.ts';
import { action, openAction } from '../src/platform/http/action.ts';
import { credentials, Forbidden, Unauthorized } from '../src/platform/http/errors.ts';
import {
  Choice,
  DateTime,
  Integer,
  JsonObject,
  Nullable,
  RawBytes,
  Text,
  Uuid,
  UuidParams,
} from '../src/platform/http/fields.ts';
import { anyone, type Guard } from '../src/platform/http/guard.ts';
import { addHealthRoutes } from '../src/platform/http/health.ts';
import { PageOf, pageOf } from '../src/platform/http/pages.ts';
import type { Principal } from '../src/platform/http/principal.ts';
import { router } from '../src/platform/http/router.ts';
import { createServer } from '../src/platform/http/server.ts';
import { Refused, Throttled } from '../src/platform/problem.ts';
import { manualClock } from './clock.ts';
import { testContext } from './context.ts';
import { noDatabase } from './no-database.ts';

/** A small API that uses every part of `src/platform/http`, without a database. The tests of that folder use it. */

export const knownThing = '0190a1b2-0000-7000-8000-000000000001';
export const unknownThing = '0190a1b2-0000-7000-8000-000000000002';

export const NewThing = Type.Object({
  name: Text(80),
  kind: Type.Optional(Choice(['a', 'b'])),
  amount: Type.Optional(Integer(1, 10)),
  weight: Type.Optional(Type.Number()),
  urgent: Type.Optional(Type.Boolean()),
  chat: Type.Optional(Nullable(Type.Object({ uuid: Uuid, since: Type.Optional(Nullable(DateTime)) }))),
  tags: Type.Optional(Type.Array(Text(5))),
  attrs: Type.Optional(JsonObject),
  variables: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const Thing = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  at: Nullable(DateTime),
  attrs: Type.Optional(JsonObject),
});

const createThing = action({
  body: NewThing,
  response: Thing,
  status: 201,
  handle: async ({ body }) => ({ uuid: knownThing, name: body.name, at: null, attrs: body.attrs }),
});

const createLargeThing = action({
  body: NewThing,
  bodyLimit: 16 * 1024 * 1024,
  response: Thing,
  status: 201,
  handle: async ({ body }) => ({ uuid: knownThing, name: body.name, at: null }),
});

const load = async (_context: Context, _principal: Principal | undefined, { uuid }: { uuid: string }) =>
  uuid === knownThing ? { id: uuid } : undefined;

const readThing = action({
  params: UuidParams,
  response: Thing,
  load,
  handle: async ({ loaded, principal }) => ({
    uuid: loaded.id,
    name: principal.kind,
    at: '2026-11-20T04:00:00.000Z',
  }),
});

const replaceThing = action({ params: UuidParams, body: NewThing, load, handle: async () => {} });

const cancelThing = action({ params: UuidParams, load, handle: async () => {} });

const listThings = action({
  query: Type.Object({ kind: Type.Optional(Choice(['a', 'b'])), name: Type.Optional(Type.String()) }),
  response: PageOf(
    Type.Object({ limit: Type.Integer(), offset: Type.Integer(), name: Nullable(Type.String()) }),
  ),
  handle: async ({ request, query }) => {
    const page = pageOf(request);
    return page.envelope(250, [{ limit: page.limit, offset: page.offset, name: query.name ?? null }]);
  },
});

const readByName = openAction({
  params: Type.Object({ name: Type.String() }),
  response: Type.Object({ name: Type.String() }),
  handle: async ({ params }) => params,
});

const receiveBytes = openAction({
  body: RawBytes,
  response: Type.Object({ hex: Type.String() }),
  handle: async ({ body }) => ({ hex: body.toString('hex') }),
});

const receiveForm = openAction({
  form: true,
  body: Type.Object({ code: Text() }),
  response: Type.Object({ code: Type.String() }),
  handle: async ({ body }) => body,
});

const redirect = openAction({ handle: async ({ reply }) => reply.redirect('https://elsewhere.test/', 302) });

const stream = openAction({
  handle: async ({ reply }) =>
    reply.type('text/event-stream').send(Readable.from(['data: 1\n\n', 'data: 2\n\n'])),
});

class DatabaseAway extends Error {}

const failures: Record<string, () => Error> = {
  refused: () => new Refused('The message was already sent.'),
  throttled: () => new Throttled(1),
  away: () => new DatabaseAway('connection to 10.0.0.5 lost'),
  broken: () => Object.assign(new Error('secret internals'), { detail: 'Key (phone)=(+79990000000)' }),
};

const fail = openAction({
  params: Type.Object({ how: Type.String() }),
  handle: async ({ params }) => {
    throw failures[params.how]?.() ?? 'something that is no error';
  },
});

const guard = (cors: boolean, Refusal: typeof Unauthorized | typeof Forbidden): Guard<Principal> => ({
  cors,
  admit: ({ 'bot-key': key }) => {
    if (key === undefined) throw new Refusal(credentials.missing);
    if (key !== 'good') throw new Refusal(credentials.incorrect);
    return { kind: 'bot_key', projectId: knownThing, callerId: 'key', applicationId: null, name: 'Key' };
  },
});

export type Sent = { method?: string; headers?: Record<string, string>; body?: RequestInit['body'] };

/** Valid credentials of the test API, alone and with a JSON body. */
export const key = { 'bot-key': 'good' };
export const json = { ...key, 'content-type': 'application/json' };

export const post = (body: RequestInit['body'], headers: Record<string, string> = json): Sent => ({
  method: 'POST',
  headers,
  body,
});

export async function startSmallApi(lifetime: { after(cleanUp: () => Promise<void>): void }) {
  const { log, logged } = memoryLog();
  const server = createServer({
    log,
    publicUrl: 'https://patchbay.test/',
    isUnavailable: (error) => error instanceof DatabaseAway,
  });
  const route = router(server, testContext({ sql: noDatabase }, manualClock()));
  const [keyOrOAuth, oauthOnly] = [guard(true, Unauthorized), guard(false, Forbidden)];

  route('POST', '/api/things/', keyOrOAuth, createThing);
  route('GET', '/api/things/', keyOrOAuth, listThings);
  route('GET', '/api/things/:uuid/', keyOrOAuth, readThing);
  route('PUT', '/api/things/:uuid/', keyOrOAuth, replaceThing);
  route('POST', '/api/things/:uuid/cancel/', keyOrOAuth, cancelThing);
  route('POST', '/api/large-things/', keyOrOAuth, createLargeThing);
  route('POST', '/api/oauth-only/', oauthOnly, createThing);
  route('GET', '/names/:name/', anyone, readByName);
  route('PUT', '/names/:name/', anyone, readByName);
  route('GET', '/names/all/', anyone, redirect);
  route('POST', '/bytes/', anyone, receiveBytes);
  route('POST', '/form/', anyone, receiveForm);
  route('GET', '/redirect/', anyone, redirect);
  route('GET', '/stream/', anyone, stream);
  route('POST', '/fail/:how/', anyone, fail);
  addHealthRoutes(server, async () => {});

  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  lifetime.after(() => server.close());

  async function send(path: string, sent: Sent = {}) {
    const answer = await fetch(address + path, { redirect: 'manual', ...sent });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  }
  return { server, port: Number(new URL(address).port), send, logged };
}

function memoryLog(): { log: Logger; logged: () => string } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'debug' }, stream), logged: () => lines.join('') };
}
