import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from './errors.ts';
import { parseJson } from './json.ts';

/**
 * What an action takes for a body: JSON; JSON or a form; the bytes as they came; the bytes while they come; or nothing,
 * and then whatever is sent is read and forgotten.
 */
export type BodyKind = 'json' | 'json-or-form' | 'bytes' | 'stream' | 'none';

/** What stands for a body that was not sent. */
export const emptyBody: Readonly<Record<BodyKind, unknown>> = {
  json: {},
  'json-or-form': {},
  bytes: Buffer.alloc(0),
  stream: { async *[Symbol.asyncIterator]() {} },
  none: {},
};

/** How large a body may be unless an action says otherwise. */
export const defaultBodyLimit = 1024 * 1024;

export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const mediaType of ['application/json', 'application/x-www-form-urlencoded', '*']) {
    server.addContentTypeParser<Buffer>(mediaType, { parseAs: 'buffer' }, (request, bytes, done) => {
      done(null, parseBody(request, mediaType, bytes));
    });
  }
}

/** On a part of the server whose actions read bodies themselves. */
export function addStreamParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload: Readable, done) => {
    done(null, noLongerThan(request.routeOptions.bodyLimit, payload));
  });
}

const tooLarge = () => new HttpProblem(413, 'Request body is too large.');

/** Throws before a body is read that says itself that it is too large. */
export function assertDeclaredSize({ headers }: FastifyRequest, most: number): void {
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge();
}

/** What is left unread does not cost the caller the connection, on which the answer comes. */
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
  if (mediaType === 'application/x-www-form-urlencoded' && kind === 'json-or-form') return parseForm(bytes);
  throw new HttpProblem(415, `Unsupported media type "${request.headers['content-type'] ?? ''}" in request.`);
}

const parseForm = (bytes: Buffer): unknown => Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
