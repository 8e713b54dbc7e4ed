import { METHODS } from 'node:http';
import fc from 'fast-check';
import { placesOf } from './places.ts';
import { type Probe, requestOf } from './probe.ts';
import { farewell } from './wire.ts';

/** Random callers. All text is Latin-1, one character a byte. */

const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some).toString('latin1'));

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\u0000',
    '\\ud800',
    '\\',
    'null',
    'true',
    '-',
    '1e999',
    '0x1',
    '\xff',
    '\xc3\xa9',
  ],
  ...[
    '"content"',
    '"chat"',
    '"uuid"',
    '"event"',
    '"message"',
    '"__proto__"',
    '"constructor"',
    '"type"',
    '\ufeff',
    '\0',
    '\n',
  ],
);

const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"chat":'), fc.integer({ min: 1, max: 20_000 }))
  .map(([opening, levels]) => opening.repeat(levels));

/** Above the limit of strangers, or above everybody's. */
const long = fc.constantFrom(20_000, 200_000, 1_200_000).map((length) => 'x'.repeat(length));

/** Text with some of its bytes replaced by others. */
const damaged = (text: string) =>
  fc
    .tuple(fc.nat(Math.max(0, text.length)), fc.nat(5), fc.oneof(bytes, pieces))
    .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));

const bodyLike = (probe: Probe) => {
  const right = JSON.stringify(probe.body ?? {});
  return fc.oneof(
    fc.constant(right),
    damaged(right),
    damaged(right).chain(damaged),
    fc.constant(`${right.slice(0, -1)},${right.slice(1)}`),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.json().map(latin1),
    fc.jsonValue().map((value) => latin1(JSON.stringify(value))),
    bytes,
    deep,
    long,
  );
};

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

const mediaType = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json, x',
  ),
  fc.constantFrom(
    'multipart/form-data; boundary=a',
    'application/xml',
    '/',
    'application/',
    ';',
    '',
    'a/b; c="',
  ),
  bytes,
);

const headerNames = fc.constantFrom(
  ...[
    'authorization',
    'bot-key',
    'idempotency-key',
    'x-request-id',
    'last-event-id',
    'if-none-match',
    'origin',
    'cookie',
  ],
  ...[
    'accept-encoding',
    'content-encoding',
    'range',
    'host',
    'x-forwarded-host',
    'forwarded',
    'te',
    'accept',
    'x-a',
    '__proto__',
  ],
);

const header = fc.oneof(
  fc
    .tuple(headerNames, fc.oneof(bytes, fc.constantFrom('', 'gzip', '*', 'Bearer', 'x'.repeat(8_000))))
    .map((parts) => parts.join(': ')),
  bytes,
);

const requestLike = (probe: Probe) => {
  const { method, path, headers } = requestOf(probe);
  return fc.record({
    method: fc.oneof(
      { weight: 5, arbitrary: fc.constant(method) },
      fc.constantFrom(...METHODS.filter((name) => name !== 'CONNECT')),
      bytes,
    ),
    target: fc.oneof(
      { weight: 5, arbitrary: fc.constant(path) },
      damaged(path),
      bytes.map((text) => `${path}?${text}`),
      bytes,
    ),
    headers: fc.oneof(
      { weight: 5, arbitrary: fc.constant(Object.entries(headers).map((parts) => parts.join(': '))) },
      fc.constant([]),
    ),
    mediaType,
    more: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
    body: bodyLike(probe),
    isChunked: fc.boolean(),
  });
};

type Like = ReturnType<typeof requestLike> extends fc.Arbitrary<infer Value> ? Value : never;

function written({ method, target, headers, mediaType, more, body, isChunked }: Like): string {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...headers,
    `Content-Type: ${mediaType}`,
    ...more,
    framing,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${isChunked ? inChunks(body) : body}`;
}

function inChunks(body: string): string {
  const pieces = [body.slice(0, 3), body.slice(3)].filter((piece) => piece !== '');
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
}

/** A connection with several requests in a row, each derived from a valid one. */
export const connectionLike = (probes: readonly Probe[]) =>
  fc
    .array(
      fc
        .constantFrom(...probes)
        .chain(requestLike)
        .map(written),
      { minLength: 1, maxLength: 3 },
    )
    .map((requests) => requests.join('') + farewell);

/** A valid call with hostile values in some of its places. */
export const callLike = (probe: Probe, values: fc.Arbitrary<unknown>): fc.Arbitrary<Probe> => {
  const names = placesOf(probe).map(({ name }) => name);
  if (names.length === 0) return fc.constant(probe);
  const changes = fc.dictionary(fc.constantFrom(...names), values, { minKeys: 1, maxKeys: 2 });
  return changes.map((values) =>
    Object.entries(values).reduce(
      (changed, [name, value]) =>
        placesOf(changed)
          .find((place) => place.name === name)
          ?.put(value) ?? changed,
      probe,
    ),
  );
};
