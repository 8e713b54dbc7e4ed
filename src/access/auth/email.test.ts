import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEmail } from './email.ts';

test('all spellings of its ASCII letters and its domain are one address', () => {
  for (const typed of [
    'Ann@Shop.TEST',
    'ann@ｓｈｏｐ.test',
    'ann@ſhop.test',
    'ann@shop。test',
    'ann@shop.test.',
    'ANN@SHOP.test',
  ])
    assert.equal(readEmail(typed), 'ann@shop.test', typed);
  assert.equal(readEmail('a@MÜNCHEN.test'), 'a@xn--mnchen-3ya.test');
  assert.equal(readEmail('a@xn--mnchen-3ya.test'), 'a@xn--mnchen-3ya.test');
});

test('letters that some program folds into another make other addresses', () => {
  const plain = 'kiss@kiss.test';
  for (const letter of ['İ', 'ı', 'ß', 'ſ', '\u212a', 'ｋ', 'ｉ', 'S\u0307']) {
    for (const place of [0, 1, 2, 3]) {
      const typed = `${plain.slice(0, place)}${letter}${plain.slice(place + 1)}`;
      assert.notEqual(readEmail(typed), plain, typed);
    }
  }
  for (const domain of ['kİss.test', 'kıss.test', 'kiß.test'])
    assert.notEqual(readEmail(`kiss@${domain}`), plain, domain);
});

test('text that mail programs or URLs read in another way is no address', () => {
  for (const typed of [
    'a',
    'a@',
    '@a.test',
    'a b@c.test',
    'a@b@c.test',
    'a<b@c.test',
    'a,b@c.test',
    '"a"@c.test',
    'a@b.test/c',
    'a@b.test#c',
    'a@b%2etest',
    'a@[::1]',
    'a@b.test:25',
    'a@b..test',
    'a\u0000@b.test',
    'a\u202e@b.test',
    '\ud800@b.test',
    'a\r\nb@c.test',
    `${'a'.repeat(250)}@b.test`,
  ])
    assert.equal(readEmail(typed), null, JSON.stringify(typed));
});

test('a canonical address stays canonical', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.domain(), (local, domain) => {
      const email = readEmail(`${local}@${domain}`);
      if (email !== null) assert.equal(readEmail(email), email);
    }),
  );
});
