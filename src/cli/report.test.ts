import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { print } from './report.ts';

test('what a provider or a project wrote does not command the terminal', (t) => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    t.mock.method(stream, 'write', (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    });
  }
  const hostile = 'a\u001b]0;title\u0007\u009b2Jb\rc\u0008\n\t\u202eд\u2069\u200f';
  print(new Command(), { json: {}, text: hostile, notes: [hostile] });
  const text = 'a\u007f\u009b2J\u001bд\u202e\u2066\u061c';
  print(new Command().option('--json').parse(['', '', '--json']), { json: { text }, text: '' });
  t.mock.reset();
  const json = written.pop() ?? '';
  assert.doesNotMatch(json.trimEnd(), /\p{Cc}|\p{Cf}/u);
  assert.deepEqual(JSON.parse(json), { text });
  const shown = 'a�]0;title��2Jb�c�\n\t�д��\n';
  assert.deepEqual(written, [`Note: ${shown}`, shown]);
});
