import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Framer, ProtocolViolation, readStartup, scanMessages, startupMessage, type Unit } from './wire.ts';

function message(letter: string, body = ''): Buffer {
  const header = Buffer.alloc(5);
  header.write(letter);
  header.writeUInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

const query = (text: string) => message('Q', `${text}\0`);
const parse = (name: string, text = 'select 1') => message('P', `${name}\0${text}\0\0\0`);
const kinds = (units: Unit[]) => units.map((unit) => unit.kind);

/** The units of a stream that arrives in pieces of the given sizes, repeated. */
function unitsOf(stream: Buffer, sizes: number[], framer = new Framer()): Unit[] {
  const units: Unit[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? stream.length;
    units.push(...framer.push(stream.subarray(at, at + size)));
    at += size;
  }
  return units;
}

test('a stream yields the same units and all of its bytes, however it is cut', () => {
  const unit = fc.constantFrom(
    query('select 1'),
    Buffer.concat([parse('a'), message('B', 'b'.repeat(300)), message('E', '\0\0\0\0\0'), message('S')]),
    Buffer.concat([parse('b'), message('D', 'Sb\0'), message('H')]),
    message('S'),
    Buffer.concat([
      query('copy t from stdin'),
      message('d', '1\n'),
      message('H'),
      message('d', '2\n'),
      message('c'),
    ]),
    Buffer.concat([query('copy t from stdin'), message('f', 'no\0')]),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 10 }), sizes, (parts, pieces) => {
      const stream = Buffer.concat(parts);
      const units = unitsOf(stream, pieces);
      assert.deepEqual(units, unitsOf(stream, [stream.length]));
      assert.deepEqual(Buffer.concat(units.map(({ bytes }) => bytes)), stream);
    }),
  );
});

test('a unit ends where PostgreSQL answers', () => {
  const framer = new Framer();
  assert.deepEqual(kinds(framer.push(Buffer.concat([parse('a'), message('D', 'Sa\0')]))), []);
  assert.deepEqual(kinds(framer.push(message('H'))), ['flush']);
  assert.deepEqual(kinds(framer.push(Buffer.concat([message('B', 'x'), message('S'), query('select 1')]))), [
    'sync',
    'sync',
  ]);
});

test('COPY FROM STDIN requests its data first, and forms one unit with all of it', () => {
  const framer = new Framer();
  const statement = query('  COPY t (a, b) FROM STDIN');
  assert.deepEqual(kinds(framer.push(statement)), ['copyStart']);
  assert.deepEqual(framer.push(message('d', '1\n')), []);
  const [unit] = framer.push(message('c'));
  assert.deepEqual(unit, {
    kind: 'copy',
    bytes: Buffer.concat([statement, message('d', '1\n'), message('c')]),
    touches: [{ how: 'closes', name: '' }],
  });
});

test('COPY FROM STDIN is refused in places where its data cannot be awaited', () => {
  assert.throws(() => new Framer().push(parse('', 'copy t from stdin')), ProtocolViolation);
  assert.throws(() => new Framer().push(query('select 1; copy t from stdin')), ProtocolViolation);
});

test('a stream that is not PostgreSQL protocol is refused', () => {
  assert.throws(() => new Framer().push(Buffer.from('GET / HTTP/1.1\r\n')), ProtocolViolation);
  assert.throws(() => new Framer().push(Buffer.from([0x51, 0, 0, 0, 1])), ProtocolViolation);
  assert.throws(() => readStartup(Buffer.from('GET / HTTP/1.1\r\n')), ProtocolViolation);
});

test('prepared statements are remembered until they are closed', () => {
  const framer = new Framer();
  framer.push(
    Buffer.concat([parse('one'), parse('two'), parse(''), message('C', 'Sone\0'), message('C', 'Ptwo\0')]),
  );
  assert.deepEqual(
    [...framer.statements],
    [
      ['two', parse('two')],
      ['', parse('')],
    ],
  );
});

test('a prefix precedes the name of every prepared statement, and no other name', () => {
  const unit = (prefix: string) => [
    parse(`${prefix}a`),
    message('B', `portal\0${prefix}a\0\0\0\0\0\0\0`),
    message('D', `S${prefix}a\0`),
    message('D', 'Pportal\0'),
    message('C', `S${prefix}a\0`),
    parse(''),
    message('B', '\0\0\0\0\0\0\0\0'),
    message('S'),
  ];
  const stream = Buffer.concat(unit(''));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
      const [given, ...others] = unitsOf(stream, sizes, new Framer('me '));
      assert.deepEqual(others, []);
      assert.deepEqual(given?.bytes, Buffer.concat(unit('me ')));
      assert.deepEqual(
        given?.touches.map(({ how, name }) => `${how} ${name}`),
        ['makes me a', 'uses me a', 'uses me a', 'closes me a', 'makes ', 'uses '],
      );
    }),
  );
});

test('messages after a Terminate are ignored', () => {
  const framer = new Framer();
  assert.deepEqual(kinds(framer.push(Buffer.concat([query('select 1'), message('X'), query('select 2')]))), [
    'sync',
  ]);
  assert.equal(framer.terminated, true);
  assert.deepEqual(framer.push(query('select 3')), []);
});

test('a startup message is recognised once it is complete', () => {
  const startup = startupMessage('me', 'db', { TimeZone: 'UTC', options: '-c a.b=1 --two-words=x\\ y' });
  assert.equal(readStartup(startup.subarray(0, -1)), undefined);
  const parameters = { user: 'me', database: 'db', TimeZone: 'UTC', 'a.b': '1', two_words: 'x y' };
  assert.deepEqual(readStartup(startup), {
    kind: 'start',
    length: startup.length,
    parameters: new Map(Object.entries(parameters)),
  });
});

test('a scanner reports every message once, however the stream is cut', () => {
  const stream = Buffer.concat([
    message('T', 'row'),
    message('D', 'x'.repeat(100)),
    message('Z', 'T'),
    message('1'),
    message('Z', 'I'),
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
      const seen: string[] = [];
      const scan = scanMessages((type, first) =>
        seen.push(type === 0x5a ? `Z${String.fromCharCode(first)}` : String.fromCharCode(type)),
      );
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        scan(stream.subarray(at, at + size));
        at += size;
      }
      assert.deepEqual(seen, ['T', 'D', 'ZT', '1', 'ZI']);
    }),
  );
});
