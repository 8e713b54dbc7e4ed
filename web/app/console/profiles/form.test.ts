import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { changeOf, rebased, theirAttributes, theirsOf, valuesOf } from './form.ts';

const profile: Profile = {
  uuid: '019a9d5c-0000-7000-8000-000000000001',
  external_id: null,
  phone_number: '+12025550123',
  email: null,
  name: 'Ann',
  timezone: null,
  pda_agreed: null,
  tags: ['vip'],
  attrs: { size: 7, city: 'Oslo' },
  chats: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const now = new Date('2026-11-20T12:00:00.000Z');
const shown = valuesOf(profile, ['city', 'pet', 'size']);

test('unchanged fields are not sent', () => {
  assert.deepEqual(changeOf(profile, shown, now), { seen: {} });
});

test('changed fields are sent with their previous values, and an attribute keeps its type', () => {
  const values = {
    ...shown,
    name: ' Ann Lee ',
    phone_number: '',
    pda_agreed: true,
    tags: [],
    attrs: [
      { name: 'city', value: '' },
      { name: 'pet', value: '12' },
      { name: 'size', value: '8' },
    ],
  };
  assert.deepEqual(changeOf(profile, values, now), {
    name: 'Ann Lee',
    phone_number: null,
    pda_agreed: now.toISOString(),
    tags: [],
    attrs: { city: null, pet: '12', size: 8 },
    seen: {
      name: 'Ann',
      phone_number: '+12025550123',
      pda_agreed: null,
      tags: ['vip'],
      attrs: { city: 'Oslo', pet: null, size: 7 },
    },
  });
});

test('a conflict names exactly the fields that changed meanwhile', () => {
  const change = changeOf(
    profile,
    { ...shown, name: 'A', email: 'a@b.de', attrs: [{ name: 'city', value: 'Bergen' }] },
    now,
  );
  const current = { ...profile, name: 'Anna', phone_number: null, attrs: { city: 'Malmö' } };
  assert.deepEqual(theirsOf(change, current), [['name', 'Anna']]);
  assert.deepEqual(theirAttributes(change, current), [['city', 'Malmö']]);
});

test('a conflict keeps the input, and the next save does not revert changes of others', () => {
  const mine = { ...shown, name: 'A', attrs: shown.attrs.map((one) => ({ ...one })) };
  mine.attrs[0] = { name: 'city', value: 'Bergen' };
  const current = {
    ...profile,
    name: 'Anna',
    email: 'ann@b.de',
    tags: ['new'],
    attrs: { city: 'Malmö', pet: 'cat' },
  };
  const next = rebased(profile, mine, current);
  assert.deepEqual(next, {
    ...valuesOf(current, ['city', 'pet', 'size']),
    name: 'A',
    attrs: [
      { name: 'city', value: 'Bergen' },
      { name: 'pet', value: 'cat' },
      { name: 'size', value: '' },
    ],
  });
  assert.deepEqual(changeOf(current, next, now), {
    name: 'A',
    attrs: { city: 'Bergen' },
    seen: { name: 'Anna', attrs: { city: 'Malmö' } },
  });
});
