import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  admitsOrigin,
  type Claim,
  echoIdOf,
  expiringHash,
  externalIdOf,
  identityHash,
  provesIdentity,
  readPlace,
  writePlace,
} from './rules.ts';

test('a star admits all hosts below a domain, with its scheme and port', () => {
  const list = 'https://*.shop.example';
  for (const host of ['www.shop.example', 'a.b.shop.example'])
    assert.ok(admitsOrigin(list, `https://${host}`));
  for (const origin of [
    'https://shop.example',
    'https://evilshop.example',
    'http://www.shop.example',
    'https://www.shop.example:8443',
    'https://www.shop.example.evil.example',
    'null',
  ]) {
    assert.ok(!admitsOrigin(list, origin), origin);
  }
});

test('without a list every page may show the widget, with one only the pages on it', () => {
  assert.ok(admitsOrigin(undefined, 'https://anywhere.example'));
  assert.ok(admitsOrigin(' ', 'https://anywhere.example'));
  const list = 'https://shop.example, https://www.shop.example/';
  assert.ok(admitsOrigin(list, 'https://shop.example'));
  assert.ok(admitsOrigin(list, 'https://www.shop.example'));
  for (const origin of [
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.example',
    'https://evil.example',
    'null',
    '',
  ]) {
    assert.ok(!admitsOrigin(list, origin), origin);
  }
});

test('an identity is proved by the HMAC of its id alone, in either case', () => {
  const hash = identityHash('secret', 'ann');
  const now = new Date('2026-11-20T12:00:00Z');
  assert.ok(provesIdentity('secret', { id: 'ann', hash }, now));
  assert.ok(provesIdentity('secret', { id: 'ann', hash: hash.toUpperCase() }, now));
  assert.ok(!provesIdentity('secret', { id: 'bob', hash }, now));
  assert.ok(!provesIdentity('other', { id: 'ann', hash }, now));
});

test('an expiring hash proves an identity until then, and is no other kind of hash', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const exp = now.getTime() / 1000 + 60;
  const hash = expiringHash('secret', 'ann', exp);
  const proves = (claim: Claim, at = now) => provesIdentity('secret', claim, at);
  assert.ok(proves({ id: 'ann', hash, exp }));
  assert.ok(!proves({ id: 'ann', hash, exp }, new Date(exp * 1000)));
  assert.ok(!proves({ id: 'ann', hash, exp: exp + 1 }));
  assert.ok(!proves({ id: 'ann', hash }));
  // A user with a free choice of id has a hash of any text. None of them is another user's expiring hash.
  assert.ok(!proves({ id: 'ann', hash: identityHash('secret', `${exp}.ann`), exp }));
  assert.ok(!proves({ id: `${exp}.ann`, hash }));
});

test("a browser's message id comes back unchanged, and differs from that of another chat", () => {
  const echo = '3f2b8c1e-0000-4000-a000-0123456789ab';
  assert.equal(echoIdOf(externalIdOf('user:a/b', echo)), echo);
  assert.notEqual(externalIdOf('user:ann', echo), externalIdOf('user:bob', echo));
});

test('a place in the history survives serialization', () => {
  const place = { at: new Date('2026-11-20T12:00:00.123Z'), id: '0190a1b2-0000-7000-8000-000000000001' };
  assert.deepEqual(readPlace(writePlace(place)), place);
});
