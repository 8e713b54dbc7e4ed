import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { adapters } from '../registry.ts';
import { addressesIn, isAddress, isSecret, readSettings, splitSettings } from './settings.ts';

const schema = Type.Object({
  address: Type.String({ format: 'uri' }),
  token: Type.Optional(Type.String({ secret: true })),
  port: Type.Optional(Type.Integer()),
  polls: Type.Optional(Type.Boolean()),
});

test('texts of a command line are converted to the types of the schema', () => {
  const given = { address: 'https://a.example/', token: '12345', port: '8080', polls: 'true' };
  assert.deepEqual(readSettings(schema, given), {
    address: 'https://a.example/',
    token: '12345',
    port: 8080,
    polls: true,
  });
  assert.throws(() => readSettings(schema, { ...given, port: 'http' }), {
    fields: { port: ['A valid integer is required.'] },
  });
});

test("settings are split by the schema's secrets, and absent ones stay absent", () => {
  assert.deepEqual(splitSettings(schema, { address: 'https://a.example/', token: 'x' }), {
    open: { address: 'https://a.example/' },
    secret: { token: 'x' },
  });
  assert.deepEqual(splitSettings(schema, { address: 'https://a.example/' }).secret, {});
});

test('addresses are the settings that the schema marks as such', () => {
  assert.deepEqual(addressesIn(schema, { address: 'https://a.example/', token: 'https://b.example/' }), [
    'https://a.example/',
  ]);
});

/** An address that is itself a secret holds its own password, and is entered as a whole. */
test('a setting that is named like an address is one, so its change asks for the secrets again', () => {
  for (const { platform, settings } of adapters) {
    // A secret address contains its credentials, and is always entered as a whole.
    const names = Object.keys(settings.properties).filter(
      (name) => /(url|uri|root|host|endpoint|server)$/.test(name) && !isSecret(settings, name),
    );
    for (const name of names) {
      assert.ok(isAddress(settings, name) || isSecret(settings, name), `${name} of ${platform}`);
    }
  }
});
