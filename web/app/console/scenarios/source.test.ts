import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, renamed } from './source.ts';

test('formatting keeps the content and the order of fields, and is idempotent', () => {
  const source =
    '{"steps":[{"type":"message","id":"hi","buttons":[{"text":"x"}]},{"id":"end","type":"end","none":[],"when":{}}],"name":"A"}';
  const tidy = format(source);
  assert.equal(JSON.stringify(JSON.parse(tidy)), source);
  assert.equal(format(tidy), tidy);
  assert.match(tidy, /^ {4}\{ "type": "message", "id": "hi", "buttons": \[\{ "text": "x" \}\] \},$/m);
});

test('invalid JSON stays unchanged', () => {
  assert.equal(format('{"a": '), '{"a": ');
  assert.equal(renamed('{"a": ', 'B'), '{"a": ');
});
