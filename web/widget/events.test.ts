import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventReader, type ServerEvent } from './events.js';

function readAll(pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const read = eventReader((event) => events.push(event));
  for (const piece of pieces) read(piece);
  return events;
}

const stream =
  'retry: 2000\n\nevent: message\nid: 17\ndata: {"a": 1}\n\n:\n\nevent: message\nid: 18\ndata: {"a": "\\n: x"}\n\n';
const expected = [
  { event: 'message', id: '17', data: '{"a": 1}' },
  { event: 'message', id: '18', data: '{"a": "\\n: x"}' },
];

test('events are parsed, and comments and settings are not events', () => {
  assert.deepEqual(readAll([stream]), expected);
});

test('a stream cut at any place gives the same events', () => {
  for (let cut = 1; cut < stream.length; cut += 1) {
    assert.deepEqual(readAll([stream.slice(0, cut), stream.slice(cut)]), expected, `cut at ${cut}`);
  }
  assert.deepEqual(readAll([...stream]), expected);
});

test('an incomplete event is not reported', () => {
  assert.deepEqual(readAll(['event: message\nid: 1\ndata: {}\n']), []);
});
