import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Platform, platforms } from '../../../../channels/contract/platforms.ts';
import { parseFilter } from '../../../../clients/filters/parse.ts';
import { collisionsOf } from './collisions.ts';
import { beginOf, isDay, periodOf, wallClock } from './dates.ts';
import { platformsIn } from './platforms.ts';

test('a month and a week are whole, from Monday on, across years and leap days', () => {
  const month = periodOf('month', '2028-02-29');
  assert.deepEqual(
    [month.start, month.previous, month.next, month.days.length],
    ['2028-02-01', '2028-01-01', '2028-03-01', 29],
  );
  const week = periodOf('week', '2027-01-03');
  assert.deepEqual([week.start, week.previous, week.next], ['2026-12-28', '2026-12-21', '2027-01-04']);
  assert.deepEqual([week.days[0], week.days[6], week.days.length], ['2026-12-28', '2027-01-03', 7]);
});

const begins: [day: string, zone: string, begin: string][] = [
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20', 'Asia/Tokyo', '2026-11-19T15:00:00.000Z'],
  // The night before the clocks change, and the night after.
  ['2026-10-25', 'Europe/Oslo', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Oslo', '2026-10-25T23:00:00.000Z'],
  // Clocks skip midnight.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
];

test('a day begins at midnight of its zone, also when clocks change', () => {
  for (const [day, zone, begin] of begins)
    assert.equal(beginOf(day, zone).toISOString(), begin, `${day} ${zone}`);
  assert.deepEqual(wallClock(new Date('2026-11-19T15:30:00Z'), 'Asia/Tokyo'), {
    day: '2026-11-20',
    time: '00:30',
  });
});

test('a day is a day that exists', () => {
  assert.deepEqual(['2028-02-29', '2027-02-29', '2027-2-1', 'today', '2027-13-01', ''].map(isDay), [
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

const on = (...names: string[]) => ({ type: 'attribute', platform__in: names });
const filters: [filter: object, platforms: readonly Platform[]][] = [
  [{ all: [] }, platforms],
  [{ all: [on('Telegram')] }, ['Telegram']],
  [{ all: [on('Telegram', 'Viber'), on('Viber', 'Widget')] }, ['Viber']],
  [{ any: [on('Telegram'), on('Viber')] }, ['Telegram', 'Viber']],
  [{ any: [on('Telegram'), { type: 'profile_tag', tag: 'vip' }] }, platforms],
  [{ all: [on('Telegram'), { type: 'profile_tag', tag: 'vip' }] }, ['Telegram']],
  [{ all: [{ any: [on('Telegram'), on('Viber')] }, on('Viber')] }, ['Viber']],
];

test('the platforms of an audience follow from its filter', () => {
  for (const [filter, expected] of filters) {
    assert.deepEqual(platformsIn(parseFilter(filter)), expected, JSON.stringify(filter));
  }
});

const entry = (uuid: string, time: string, ...names: Platform[]) => ({
  uuid,
  at: new Date(`2026-11-20T${time}Z`),
  platforms: names,
});

const collisions: [name: string, entries: ReturnType<typeof entry>[], places: number[][]][] = [
  ['at the same time', [entry('a', '09:00:00', 'Viber'), entry('b', '09:00:00', 'Viber')], [[1], [0]]],
  ['59 minutes apart', [entry('a', '09:00:00', 'Viber'), entry('b', '09:59:59', 'Viber')], [[1], [0]]],
  ['an hour apart', [entry('a', '09:00:00', 'Viber'), entry('b', '10:00:00', 'Viber')], [[], []]],
  ['on other platforms', [entry('a', '09:00:00', 'Viber'), entry('b', '09:00:00', 'Widget')], [[], []]],
  [
    'one platform in common',
    [entry('a', '09:00:00', 'Viber', 'Max'), entry('b', '09:30:00', 'Max')],
    [[1], [0]],
  ],
  ['the same mailing', [entry('a', '09:00:00', 'Viber'), entry('a', '09:30:00', 'Viber')], [[], []]],
  [
    'a chain',
    [entry('a', '09:00:00', 'Viber'), entry('b', '09:40:00', 'Viber'), entry('c', '10:20:00', 'Viber')],
    [[1], [0, 2], [1]],
  ],
];

for (const [name, entries, places] of collisions) {
  test(`collisions: ${name}`, () => assert.deepEqual(collisionsOf(entries), places));
}
