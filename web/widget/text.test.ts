import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileName, partsOf, webAddress } from './text.js';

const links = (text: string) =>
  partsOf(text).flatMap(({ text: shown, href }) => (href === null ? [] : [[shown, href]]));

test('a quotation mark or an ellipsis after an address is not a part of it', () => {
  for (const end of ['»', '›', '”', '“', '’', '‘', '»,', '…']) {
    assert.deepEqual(links(`«https://a.test/l/token${end}`), [
      ['https://a.test/l/token', 'https://a.test/l/token'],
    ]);
  }
});

test('addresses in a text become links, without the full stop behind them', () => {
  assert.deepEqual(links('See https://shop.example/a?b=c#d, (http://x.example) or https://y.example/.'), [
    ['https://shop.example/a?b=c#d', 'https://shop.example/a?b=c#d'],
    ['http://x.example', 'http://x.example/'],
    ['https://y.example/', 'https://y.example/'],
  ]);
});

test('the parts of a text join to the text', () => {
  for (const text of [
    '',
    'plain',
    'https://a.example',
    'a https://b.example c',
    '<b>bold</b>\nhttp://x.example!',
  ]) {
    assert.equal(
      partsOf(text)
        .map(({ text: part }) => part)
        .join(''),
      text,
    );
  }
});

test('only web addresses become links', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'JaVaScRiPt:x',
    '//x.example',
    'x',
  ]) {
    assert.equal(webAddress(text), null, text);
    assert.deepEqual(links(text), [], text);
  }
});

test('a document is named by the end of its address', () => {
  assert.equal(fileName('https://x.example/a/Invoice%207.pdf?x=1'), 'Invoice 7.pdf');
  assert.equal(fileName('https://x.example/'), 'Document');
  assert.equal(fileName('https://x.example/%zz'), '%zz');
});
