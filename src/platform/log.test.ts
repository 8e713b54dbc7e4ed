import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

function logged(err: unknown): string {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).error({ err }, 'it failed');
  return lines.join('');
}

test('an error is logged with its message, code, place and cause', () => {
  const cause = Object.assign(new Error('the line was lost'), { code: 'ECONNRESET' });
  const line = logged(new Error('no answer', { cause }));
  for (const told of ['no answer', 'log.test.ts', 'the line was lost', 'ECONNRESET', 'it failed']) {
    assert.ok(line.includes(told), told);
  }
});

test('neither the row nor the statement of a database error is logged', () => {
  const detail = 'Failing row contains (7, hello Ann)';
  const refused = Object.assign(new Error('violates a constraint'), {
    code: '23514',
    detail,
    query: 'select 1',
  });
  for (const line of [logged(refused), logged(new Error('not written', { cause: refused }))]) {
    assert.match(line, /23514/);
    assert.doesNotMatch(line, /Ann|select/);
  }
});

test('a thrown value that is no error is logged as text', () => {
  assert.match(logged('a word'), /a word/);
});

test('no text commands the terminal of a reader, or begins another line', () => {
  const text = 'a\u009b2J\u001b[2J\u0085b\r\n{"level":30}\u202e\u2067\u200f';
  const line = logged(new Error(text));
  assert.doesNotMatch(line.trimEnd(), /\p{Cc}|\p{Cf}/u);
  assert.equal(JSON.parse(line).err.message, text);
});
