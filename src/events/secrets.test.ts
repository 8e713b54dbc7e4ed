import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createVault } from '../platform/secrets/vault.ts';
import { currentSecret, firstSecrets, openSecrets, rotated, sealSecrets, secretsInForce } from './secrets.ts';

const vault = createVault(randomBytes(32));
const noon = new Date('2026-11-20T12:00:00.000Z');
const after = (ms: number) => new Date(noon.getTime() + ms);
const day = 86_400_000;

test('a secret sealed for one endpoint opens for that endpoint only', () => {
  const secrets = firstSecrets();
  const sealed = sealSecrets(vault, 'one', secrets);
  assert.deepEqual(openSecrets(vault, 'one', sealed), secrets);
  assert.throws(() => openSecrets(vault, 'two', sealed));
});

test('a rotated secret still signs beside the new one for a day', () => {
  const first = firstSecrets();
  const second = rotated(first, noon);
  const [old, fresh] = [currentSecret(first), currentSecret(second)];
  assert.notEqual(old, fresh);
  assert.deepEqual(secretsInForce(second, after(day - 1)), [fresh, old]);
  assert.deepEqual(secretsInForce(second, after(day)), [fresh]);
});

test('no more than two secrets sign, the new one and the one before', () => {
  const first = firstSecrets();
  const second = rotated(first, noon);
  const third = rotated(second, after(day / 2));
  const [b, c] = [second, third].map(currentSecret);
  assert.deepEqual(secretsInForce(third, after(day / 2)), [c, b]);
  assert.deepEqual(secretsInForce(third, after(day)), [c, b]);
  assert.deepEqual(secretsInForce(third, after(1.5 * day)), [c]);
});
