import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from './errors.ts';
import { parseForm } from './form.ts';
import { parseJson } from './json.ts';

/**
 * The kind of body that an action takes: JSON; JSON or a form; the raw bytes; a stream of bytes; or none. With `none`
 * a sent body is read and ignored.
 */
export type BodyKind = 'json' | 'json-or-form' | 'bytes' | 'stream' | 'none';

/** The value of a body that was not sent. */
export const emptyBody: Readonly<Record<BodyKind, unknown>> = {
  json: {},
  'json-or-form': {},
  bytes: Buffer.alloc(0),
  stream: { async *[Symbol.asyncIterator]() {} },
  none: {},
};

/** The limit of a body if an action sets none. */
export const defaultBodyLimit = 1024 * 1024;

/** The same for strangers: a form. */
export const strangersBodyLimit = 16 * 1024;

export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const mediaType of ['application/json', 'application/x-www-form-urlencoded', '*']) {
    server.addContentTypeParser<Buffer>(mediaType, { parseAs: 'buffer' }, (request, bytes, done) => {
      done(null, parseBody(request, mediaType, bytes));
    });
  }
}

/** For a part of the server whose actions read bodies themselves. */
export function addStreamParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload: Readable, done) => {
    done(null, admittedToTheEnd(request, payload));
  });
}

const tooLarge = () => new HttpProblem(413, 'Request body is too large.');

/** Throws before the body is read when its declared length exceeds the limit. */
export function assertDeclaredSize({ headers }: FastifyRequest, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge();
}

/** The last bytes may come minutes after the first. An upload whose credentials ended meanwhile is not stored. */
async function* admittedToTheEnd(request: FastifyRequest, payload: Readable): AsyncGenerator<Buffer> {
  yield* noLongerThan(request.routeOptions.bodyLimit, payload);
  await request.admitted?.confirm();
}

/** An unread rest does not close the caller's connection, which still carries the answer. */
async function* noLongerThan(most: number, payload: Readable): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > most) throw tooLarge();
    yield chunk;
  }
}

function parseBody(request: FastifyRequest, mediaType: string, bytes: Buffer): unknown {
  const kind = request.admitted?.bodyKind ?? 'json';
  if (kind === 'none') return undefined;
  if (kind === 'bytes') return bytes;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new HttpProblem(415, `Unsupported content encoding "${encoding}" in request.`);
  }
  if (mediaType === 'application/json') return parseJson(bytes);
  if (mediaType === 'application/x-www-form-urlencoded' && kind === 'json-or-form')
    return parseForm(bytes.toString('utf8'));
  throw new HttpProblem(415, `Unsupported media type "${request.headers['content-type'] ?? ''}" in request.`);
}
