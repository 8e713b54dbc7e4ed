import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../../../test/email.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import { knownBrowser, knownBrowserCookie } from './known-browser.ts';

const vault = createVault('a secret key that is long enough to be one');

test('a browser is known for its account, under one name, by our own cookie only', () => {
  const cookie = knownBrowserCookie(vault, emailOf('Ann@shop.test')).split(';')[0] ?? '';
  const name = knownBrowser(vault, { cookie: `other=1; ${cookie}` }, emailOf('ann@shop.TEST'));
  assert.equal(cookie, `__Host-patchbay-known=${name}`);
  assert.notEqual(knownBrowserCookie(vault, emailOf('ann@shop.test')).split(';')[0], cookie);
  const stranger = createVault('another secret key that is long enough');
  for (const forged of [
    `${cookie}=`,
    `${cookie}.`,
    `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`,
    '__Host-patchbay-known=',
    knownBrowserCookie(vault, emailOf('bob@shop.test')),
    knownBrowserCookie(stranger, emailOf('ann@shop.test')),
  ]) {
    assert.equal(knownBrowser(vault, { cookie: forged }, emailOf('ann@shop.test')), null, forged);
  }
});
