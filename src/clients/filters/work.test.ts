import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenSizes } from '../../../test/growth.ts';
import type { Facts } from './facts.ts';
import { matches } from './matches.ts';
import { parseFilter } from './parse.ts';
import { newWork, TooMuchWork } from './work.ts';

const factsWith = (text: string): Facts => ({
  chat: {
    uuid: 'c',
    platform: 'Widget',
    name: null,
    username: null,
    phone: null,
    created_at: '2026-11-20T12:00:00.000Z',
    variables: { word: text },
  },
  profile: {
    uuid: 'p',
    external_id: null,
    phone_number: null,
    email: null,
    name: null,
    timezone: null,
    pda_agreed: null,
    created_at: '2026-11-20T12:00:00.000Z',
    tags: [],
    attrs: {},
  },
});

const asking = (conditions: number, lookup: string, value: unknown) =>
  parseFilter({
    any: Array.from({ length: conditions }, () => ({ type: 'attribute', [`word__${lookup}`]: value })),
  });

function costOf(conditions: number, characters: number, lookup: string, value: unknown): number {
  const work = newWork();
  const { left } = work;
  matches(asking(conditions, lookup, value), factsWith('a'.repeat(characters)), work);
  return left - work.left;
}

const lookups: [lookup: string, value: unknown][] = [
  ['icontains', 'b'],
  ['iexact', 'b'],
  ['in', ['b', 'c']],
  ['gt', 'b'],
  ['range', ['b', 'c']],
  ['endswith', 'b'],
];

for (const [lookup, value] of lookups) {
  test(`the cost of ${lookup} grows only linearly with the conditions and with the text`, () => {
    for (const size of tenSizes(40)) {
      const one = costOf(size, 1_000, lookup, value);
      assert.ok(one <= size * 1_000 * 3, `${size} conditions: ${one}`);
      const other = costOf(40, size * 10, lookup, value);
      assert.ok(other <= 40 * size * 10 * 3, `${size * 10} characters: ${other}`);
    }
  });
}

test('a text is folded once, however many conditions fold it', () => {
  const work = newWork();
  matches(asking(900, 'icontains', 'b'), factsWith('Ä'.repeat(1_000)), work);
  assert.deepEqual([...work.folded.keys()], ['Ä'.repeat(1_000), 'b']);
});

test('a condition that exceeds the cost limit is refused before it runs', () => {
  const text = 'a'.repeat(65_536);
  const searched = `${'a'.repeat(500)}b${'a'.repeat(500)}`;
  const filter = asking(1_000, 'icontains', searched);
  assert.throws(() => matches(filter, factsWith(text), newWork()), TooMuchWork);
});
