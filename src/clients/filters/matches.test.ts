import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from './facts.ts';
import { matches } from './matches.ts';
import { parseFilter } from './parse.ts';
import { newWork } from './work.ts';

const facts: Facts = {
  chat: {
    uuid: '0190a1b2-0000-7000-8000-000000000001',
    platform: 'Telegram',
    name: 'Анна',
    username: null,
    phone: '+12015550123',
    created_at: '2026-11-20T12:00:00.000Z',
    variables: {
      order: 7,
      code: '007',
      big: '10',
      paid: true,
      sizes: ['S'],
      nothing: null,
      note: '100%',
      mood: '😀',
    },
  },
  profile: {
    uuid: '0190a1b2-0000-7000-8000-000000000002',
    external_id: null,
    phone_number: '+12015550123',
    email: 'Ann@Shop.test',
    name: 'Ann',
    timezone: null,
    pda_agreed: '2026-11-20T12:00:00.000Z',
    created_at: '2026-11-01T00:00:00.000Z',
    tags: ['vip', 'New'],
    attrs: { city: 'Oslo', big: 10 },
  },
};

const chat = (key: string, value: unknown) => ({ type: 'attribute', [key]: value });
const profile = (key: string, value: unknown) => ({ type: 'profile_attribute', [key]: value });
const tag = (key: string, value: unknown) => ({ type: 'profile_tag', [key]: value });

// biome-ignore format: a table is read in columns
const cases: [condition: unknown, hit: boolean][] = [
  [chat('platform', 'Telegram'), true],
  [chat('platform__in', ['Viber', 'Telegram']), true],
  [chat('platform__in', []), false],
  [chat('uuid', facts.chat.uuid.toUpperCase()), true],
  [chat('name__iexact', 'аННА'), true],
  [chat('name', 'анна'), false],
  [chat('username__isnull', true), true],
  [chat('username', ''), false],
  [chat('phone', '1 (201) 555-0123'), true],
  [profile('phone_number__in', ['12015550123']), true],
  [profile('phone_number__startswith', '+1201'), true],
  [chat('pda_agreed__isnull', false), true],
  [chat('timezone__isnull', true), true],
  [chat('created_at', '2026-11-20T15:00:00+03:00'), true],
  [chat('created_at__gt', '2026-11-20T12:00:00Z'), false],
  [chat('created_at__gte', '2026-11-20T12:00:00Z'), true],
  [profile('created_at__range', ['2026-10-31T23:00:00Z', '2026-11-01T00:00:00Z']), true],
  [profile('created_at__startswith', '2026-11'), true],
  [profile('email__icontains', 'SHOP'), true],
  [profile('email__endswith', '.test'), true],
  [profile('email__contains', '%'), false],
  [chat('note__endswith', '%'), true],
  [chat('order', 7), true],
  [chat('order', '7'), true],
  [chat('code', 7), false],
  [chat('code', '007'), true],
  [chat('code__gte', 7), true],
  [chat('big__gt', 9), true],
  [chat('big__gt', '9'), true],
  [chat('big__gt', '9a'), false],
  [profile('big__range', [9.5, 10]), true],
  [profile('big__lt', 10), false],
  [profile('big__lte', 10), true],
  [chat('mood__gt', '\ue000'), true],
  [chat('paid', true), true],
  [chat('paid', 'true'), true],
  [chat('sizes', 'S'), false],
  [chat('sizes__isnull', false), true],
  [chat('nothing__isnull', true), true],
  [chat('absent__isnull', true), true],
  [chat('absent__lt', 'x'), false],
  [chat('toString__isnull', true), true],
  [tag('tag', 'vip'), true],
  [tag('name', 'new'), false],
  [tag('tag__iexact', 'new'), true],
  [tag('tag__in', ['x', 'vip']), true],
  [tag('tag__startswith', 'vi'), true],
  [tag('tag__isnull', true), false],
  [{ any: [] }, false],
  [{ all: [] }, true],
  [{ any: [tag('tag', 'x'), profile('city', 'Oslo')] }, true],
  [{ all: [tag('tag', 'x'), profile('city', 'Oslo')] }, false],
];

test('every lookup matches as documented', () => {
  for (const [condition, hit] of cases) {
    assert.equal(
      matches(parseFilter({ all: [condition] }), facts, newWork()),
      hit,
      JSON.stringify(condition),
    );
  }
});
