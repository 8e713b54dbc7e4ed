import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTokens } from './link-token.ts';

const tokens = linkTokens('a key of at least thirty-two characters');
const place = {
  projectId: '01a1f8d3-ea00-7356-9b8b-29bd25556a16',
  messageId: '01a1f8d3-ea00-7356-9b8b-29bd25556a17',
  index: 255,
};

test('a token names its place, in characters that every messenger accepts in a link', () => {
  const token = tokens.make(place);
  assert.match(token, /^[\w-]{56}$/);
  assert.deepEqual(tokens.read(token), place);
});

test('a token with another character, length or key is refused', () => {
  const token = tokens.make(place);
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A';
    assert.equal(tokens.read(token.slice(0, index) + other + token.slice(index + 1)), undefined, `${index}`);
  }
  for (const wrong of ['', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, token.replace(/.$/, '+')]) {
    assert.equal(tokens.read(wrong), undefined, wrong);
  }
  assert.equal(linkTokens('another key of thirty-two characters').read(token), undefined);
});
