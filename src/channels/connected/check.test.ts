import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testOutbound } from '../../../test/outbound.ts';
import type { Adapter } from '../contract/adapter.ts';
import { ForPeople } from '../contract/failure.ts';
import { words } from '../contract/guide.ts';
import { viber } from '../messengers/viber/adapter.ts';
import { accountOf, checkEntered } from './check.ts';

const outbound = testOutbound({ after });
const settings = { auth_token: 'planted-token', sender_name: 'Tea' };

/** A messenger whose provider answers so. */
const asked = (ask: NonNullable<Adapter['check']>['ask']): Adapter => ({
  ...viber,
  check: { needs: ['auth_token'], ask },
});

test('a provider’s words are shown without the secrets that they repeat', async () => {
  const adapter = asked(() => Promise.reject(new ForPeople('The token planted-token of Tea is wrong.')));
  const { refusal } = await checkEntered({ outbound }, adapter, settings);
  assert.equal(refusal, 'The token *** of Tea is wrong.');
  assert.equal((await accountOf({ outbound }, adapter, { settings })).refusal, refusal);
});

test('a provider is asked only when everything that it needs is there and well formed', async () => {
  let calls = 0;
  const facts = [{ label: words('Bot', 'Бот'), value: 'Tea' }];
  const adapter = asked(async () => {
    calls += 1;
    return { facts };
  });
  for (const given of [{}, { sender_name: 'Tea' }, { auth_token: '' }, { auth_token: 'two words' }]) {
    assert.equal((await checkEntered({ outbound }, adapter, given)).account, null);
  }
  assert.equal(calls, 0);
  assert.deepEqual((await checkEntered({ outbound }, adapter, { auth_token: 'one' })).account, { facts });
});
