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

test('what nobody touched is not sent', () => {
  assert.deepEqual(changeOf(profile, shown, now), { seen: {} });
});

test('what was changed is sent with what stood there, and an attribute stays of its kind', () => {
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

test('a conflict names the fields that are no longer as they were seen, and no others', () => {
  const change = changeOf(
    profile,
    { ...shown, name: 'A', email: 'a@b.de', attrs: [{ name: 'city', value: 'Bergen' }] },
    now,
  );
  const current = { ...profile, name: 'Anna', phone_number: null, attrs: { city: 'Malmö' } };
  assert.deepEqual(theirsOf(change, current), [['name', 'Anna']]);
  assert.deepEqual(theirAttributes(change, current), [['city', 'Malmö']]);
});

test('after a conflict what was changed stays, and what others changed is not taken back by the next save', () => {
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
