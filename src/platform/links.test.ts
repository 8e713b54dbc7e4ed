import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillLink, linksIn, piecesOf } from './links.ts';

const found: [string, string[]][] = [
  ['no link, www.shop.test, ftp://a.test', []],
  ['https://shop.test', ['https://shop.test']],
  ['See https://shop.test/a?b=1&c=2#d.', ['https://shop.test/a?b=1&c=2#d']],
  [
    '(see https://shop.test/a_(b)) and (https://shop.test/(c)d).',
    ['https://shop.test/a_(b)', 'https://shop.test/(c)d'],
  ],
  ['(https://shop.test/a), [http://b.test/x_(y)]!', ['https://shop.test/a', 'http://b.test/x_(y)']],
  ['HTTPS://Shop.test/…', ['HTTPS://Shop.test/']],
  ['https://магазин.test/сыр и вино', ['https://магазин.test/сыр']],
  ['https://a.test https://a.test', ['https://a.test', 'https://a.test']],
  ['https://a.test/{{ order }}?n={{name}}, ok', ['https://a.test/{{ order }}?n={{name}}']],
  ['https://{{host}}/ https://a{{host}}/ https://a.test@{{host}}/ https://me@a.test/', []],
  ['https:// https://a b', ['https://a']],
  [
    '«https://a.test/a» “https://a.test/b”, „https://a.test/c“',
    ['https://a.test/a', 'https://a.test/b', 'https://a.test/c'],
  ],
  [
    '‘https://a.test/d’. ‹https://a.test/e› https://a.test/L’Équipe',
    ['https://a.test/d', 'https://a.test/e', 'https://a.test/L’Équipe'],
  ],
  ['<https://a.test/x> "https://b.test"', ['https://a.test/x', 'https://b.test']],
];

for (const [text, links] of found) {
  test(`the links of ‹${text}› are ${links.length === 0 ? 'none' : links.join(' and ')}`, () => {
    assert.deepEqual(linksIn(text), links);
  });
}

test('the pieces of a text form the text', () => {
  const text = 'See https://shop.test/a, or (https://b.test).';
  assert.equal(
    piecesOf(text)
      .map((piece) => piece.text)
      .join(''),
    text,
  );
});

test('a value in a link stays one part of it', () => {
  const address = fillLink('https://a.test/{{ path }}?q={{q}}', (name) =>
    name === 'q' ? 'a&b=c#d\ud800' : '../x y',
  );
  assert.equal(address, 'https://a.test/..%2Fx%20y?q=a%26b%3Dc%23d%EF%BF%BD');
});

test('a hostile text is parsed quickly', () => {
  const slow = ['https://a.test/', '!'.repeat(30_000), 'a', ')'.repeat(30_000), '!'.repeat(5_000)].join('');
  assert.deepEqual(linksIn(slow), [`https://a.test/${'!'.repeat(30_000)}a`]);
});

test('a token’s range limits the number of tracked links', () => {
  assert.equal(linksIn('https://a.test '.repeat(300)).length, 256);
});
