import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneOf, zoneNames } from './time-zone.ts';

const zones: [given: string, expected: string | null][] = [
  ['Europe/Oslo', 'Europe/Oslo'],
  ['europe/oslo', 'Europe/Oslo'],
  ['America/Port_of_Spain', 'America/Port_of_Spain'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['US/Pacific', 'US/Pacific'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['gb-eire', 'GB-Eire'],
  ['W-SU', 'W-SU'],
  ['NZ-CHAT', 'NZ-CHAT'],
  ['GMT0', 'GMT0'],
  ['Etc/GMT+3', 'Etc/GMT+3'],
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['EST5EDT', 'EST5EDT'],
  ['Singapore', 'Singapore'],
  ['IST', null],
  ['PST', null],
  ['+03:00', null],
  ['GMT+3', null],
  ['Europe/Nowhere', null],
  ['Europe', null],
  ['/', null],
  ['', null],
  [' UTC', null],
];

for (const [given, expected] of zones) {
  test(`"${given}" is ${expected === null ? 'no time zone' : `the time zone ${expected}`}`, () =>
    assert.equal(timeZoneOf(given), expected));
}

test('every listed name is a zone that the platform knows, and written as it is listed', () => {
  assert.deepEqual(
    zoneNames.map((name) => timeZoneOf(name)),
    zoneNames,
  );
  assert.equal(new Set(zoneNames).size, zoneNames.length);
  for (const name of ['UTC', 'Etc/UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Kiev']) {
    assert.ok(zoneNames.includes(name), name);
  }
});
