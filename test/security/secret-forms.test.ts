import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaksIn } from './secret-forms.ts';

test('a secret is found in every form that it can have', () => {
  const secret = 'sécret/+of "alpha"';
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    `{"a":${JSON.stringify(secret)}}`,
    bytes.toString('hex'),
    encodeURIComponent(secret),
  ];
  for (const before of ['', 'x', 'xy', 'xyz']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      forms.push(Buffer.from(`${before}${secret}yz`).toString(encoding));
    }
  }
  for (const form of forms) assert.deepEqual(leaksIn(`… ${form} …`, { secret }), ['secret'], form);
});
