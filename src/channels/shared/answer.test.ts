import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPage, readableWords } from './answer.ts';

test('the words of a provider are kept without secrets, in whatever form they repeat them', () => {
  const words = 'no a/b=, no a%2Fb%3D, no a\0/b=';
  assert.equal(readableWords(words, ['a/b=']), 'no ***, no ***, no ***');
  assert.equal(readableWords(`${'a'.repeat(499)}🙂`, []), `${'a'.repeat(499)}\ufffd`);
});

test('a page is known by its type or its first sign', () => {
  const answer = (body: string, type?: string) => ({
    status: 200,
    headers: { ...(type && { 'content-type': type }) },
    body: Buffer.from(body),
    truncated: false,
  });
  assert.ok(isPage(answer('sorry', 'text/html; charset=utf-8')));
  assert.ok(isPage(answer('\n <html>')));
  assert.ok(!isPage(answer('{"error":"<b>"}', 'application/json')));
});
