import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from './facts.ts';
import { namedFact } from './named-fact.ts';

const facts: Facts = {
  chat: {
    uuid: 'c',
    platform: 'Widget',
    name: 'ann_92',
    username: null,
    phone: '+15550001',
    created_at: '2026-11-20T12:00:00.000Z',
    variables: { order: 7, city: 'Oslo', 'profile.name': 'no' },
  },
  profile: {
    uuid: 'p',
    external_id: null,
    phone_number: null,
    email: 'ann@shop.test',
    name: 'Ann',
    timezone: null,
    pda_agreed: null,
    created_at: '2026-11-20T12:00:00.000Z',
    tags: ['vip', 'new'],
    attrs: { city: 'Rome', sizes: ['S', 'M'], paid: true, nothing: null },
  },
};

test('a name finds its fact: of the profile, of its attributes, of the chat, of the chat’s variables', () => {
  const found = (name: string) => namedFact(facts, name);
  assert.equal(found('profile.email'), 'ann@shop.test');
  assert.equal(found('profile.name'), 'Ann');
  assert.equal(found('profile.tags'), '["vip","new"]');
  assert.equal(found('attrs.city'), 'Rome');
  assert.equal(found('attrs.sizes'), '["S","M"]');
  assert.equal(found('attrs.paid'), 'true');
  assert.equal(found('chat.platform'), 'Widget');
  assert.equal(found('city'), 'Oslo');
  assert.equal(found('order'), '7');
  assert.equal(found('name'), 'Ann');
  assert.equal(found('phone'), '+15550001');
});

test('an unknown fact is null, and inherited properties are no facts', () => {
  for (const name of [
    'profile.phone_number',
    'attrs.nothing',
    'attrs.toString',
    'chat.variables',
    'profile.attrs',
    'x',
    '',
  ]) {
    assert.equal(namedFact(facts, name), null, name);
  }
});
