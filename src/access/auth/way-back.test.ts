import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAddress, wayBack } from './way-back.ts';

// biome-ignore format: a table is read in columns
const ways: [next: string, way: string | null][] = [
  ['/integrations/oauth/?client_id=1&state=a%2Bb%20c%ff', '/integrations/oauth/?client_id=1&state=a%2Bb%20c%ff'],
  ['/console/mailings/?page=2#row', '/console/mailings/?page=2'],
  ['/chat-center/', '/chat-center/'],
  ['/console/\r\nset-cookie: a=b', '/console/set-cookie:%20a=b'],
  ['', null],
  ['/', null],
  ['/sign-out/', null],
  ['/consoles/', null],
  ['https://evil.test/integrations/oauth/', null],
  ['//evil.test/console/', null],
  ['///evil.test/console/', null],
  ['/\\evil.test/console/', null],
  ['\\\\evil.test/console/', null],
  ['/\t/evil.test/console/', null],
  ['https:evil.test/console/', null],
  ['http:/evil.test/console/', null],
  ['//nowhere.invalid@evil.test/console/', null],
  ['/console/../\\evil.test', null],
  ['/console/%2e%2e//evil.test', null],
  ['javascript:alert(1)//console/', null],
  ['data:text/html,/console/', null],
];

test('only paths of our own pages are ways back, however an address is written', () => {
  for (const [next, way] of ways) assert.equal(wayBack(next), way, next);
});

test('the sign-in page leads back to our pages only, whatever a request asks for', () => {
  assert.equal(signInAddress('/base', '/console/?a=b'), '/base/sign-in/?next=%2Fconsole%2F%3Fa%3Db');
  assert.equal(signInAddress('/base', 'http://evil.test/console/'), '/base/sign-in/?next=');
});
