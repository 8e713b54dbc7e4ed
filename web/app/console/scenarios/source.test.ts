import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, renamed } from './source.ts';

test('a tidy text says the same, keeps the order of its fields, and changes no more when it is tidied again', () => {
  const source =
    '{"steps":[{"type":"message","id":"hi","buttons":[{"text":"x"}]},{"id":"end","type":"end","none":[],"when":{}}],"name":"A"}';
  const tidy = format(source);
  assert.equal(JSON.stringify(JSON.parse(tidy)), source);
  assert.equal(format(tidy), tidy);
  assert.match(tidy, /^ {4}\{ "type": "message", "id": "hi", "buttons": \[\{ "text": "x" \}\] \},$/m);
});

test('what is no JSON stays as it is', () => {
  assert.equal(format('{"a": '), '{"a": ');
  assert.equal(renamed('{"a": ', 'B'), '{"a": ');
});
