import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallAscii } from '../platform/ascii.ts';
import { countries, countryOf } from '../platform/phone.ts';
import { zoneNames } from '../platform/time-zone.ts';
import { longestPrefix, quietEnds, quietUntil, quietUntilFor } from './quiet-hours.ts';
import { zonesOf, zonesOfCountry } from './time-zones.ts';

const night = { from: '21:00', until: '09:00', timezone: 'Europe/Oslo' };
const at = (text: string): Date => new Date(text);
const endIn = (zone: string, moment: string, hours = night): string | undefined =>
  quietUntil(hours, [zone], at(moment))?.toISOString();

test('quiet hours begin and end at their minutes, by the clock of the zone', () => {
  assert.equal(endIn('Asia/Tokyo', '2026-11-20T11:59:59.999Z'), undefined);
  assert.equal(endIn('Asia/Tokyo', '2026-11-20T12:00:00Z'), '2026-11-21T00:00:00.000Z');
  assert.equal(endIn('Asia/Tokyo', '2026-11-20T23:59:59.999Z'), '2026-11-21T00:00:00.000Z');
  assert.equal(endIn('Asia/Tokyo', '2026-11-21T00:00:00Z'), undefined);
  assert.equal(endIn('Asia/Kathmandu', '2026-11-20T22:00:00Z'), '2026-11-21T03:15:00.000Z');
  const siesta = { ...night, from: '13:00', until: '15:30' };
  assert.equal(endIn('UTC', '2026-11-20T14:00:00Z', siesta), '2026-11-20T15:30:00.000Z');
  assert.equal(endIn('UTC', '2026-11-20T16:00:00Z', siesta), undefined);
});

test('quiet hours end by the clock also when clocks change in the night', () => {
  assert.equal(endIn('Europe/Oslo', '2026-03-28T23:00:00Z'), '2026-03-29T07:00:00.000Z');
  assert.equal(endIn('Europe/Oslo', '2026-10-24T22:00:00Z'), '2026-10-25T08:00:00.000Z');
  const short = { ...night, from: '00:00', until: '02:30' };
  // The clocks skip this half past two.
  const end = quietUntil(short, ['Europe/Oslo'], at('2026-03-29T00:00:00Z'));
  assert.ok(end && quietUntil(short, ['Europe/Oslo'], end) === null);
});

test('a client is in their own zone, or else in their phone’s country, or else where the project is', () => {
  const zones = (timezone: string | null, phone_number: string | null) =>
    zonesOf({ timezone, phone_number }, 'Europe/Oslo');
  assert.deepEqual(zones('Asia/Tokyo', '+79161234567'), ['Asia/Tokyo']);
  assert.deepEqual(zones(null, '+819012345678'), ['Asia/Tokyo']);
  assert.deepEqual(zones('Nowhere/Town', '+819012345678'), ['Asia/Tokyo']);
  assert.deepEqual(zones(null, null), ['Europe/Oslo']);
  const russian = zones(null, '+79161234567');
  assert.ok(russian.includes('Europe/Kaliningrad') && russian.includes('Asia/Kamchatka'));
  assert.deepEqual(zones(null, '+18765551234'), ['America/Jamaica']);
});

test('in a country with several zones it is quiet while it is quiet in any of them', () => {
  const client = { timezone: null, phone_number: '+79161234567' };
  const end = (moment: string) => quietUntilFor(night, client, at(moment))?.toISOString();
  assert.equal(end('2026-11-20T07:00:00Z'), undefined);
  assert.equal(end('2026-11-20T08:59:00Z'), undefined);
  assert.equal(end('2026-11-20T09:00:00Z'), '2026-11-21T07:00:00.000Z');
  assert.equal(end('2026-11-20T06:59:00Z'), '2026-11-20T07:00:00.000Z');
});

test('every country is awake in all of its zones at least once a day, all year', () => {
  const never = countries.filter((country) => {
    const zones = zonesOfCountry(country);
    return Array.from({ length: 53 }, (_, week) => new Date(Date.UTC(2026, 0, 1 + 7 * week, 12))).some(
      (now) => {
        const end = quietUntil(night, zones, now);
        return end && (quietUntil(night, zones, end) !== null || end.getTime() - now.getTime() > 86_400_000);
      },
    );
  });
  assert.deepEqual(never, []);
});

test('the ends for statements are those for single clients', () => {
  const numbers = ['+79161234567', '+77011234567', '+12125550123', '+12042345678', '+18765551234'].concat([
    '+819012345678',
    '+447700900123',
    '+4915112345678',
    '+6421123456',
    '+5511912345678',
    '+380501234567',
  ]);
  for (const hour of [0, 6, 7, 12, 18, 23]) {
    const now = new Date(Date.UTC(2026, 10, 20, hour, 30));
    const ends = quietEnds(night, now);
    for (const phone_number of numbers) {
      const found = Array.from({ length: longestPrefix }, (_, shorter) =>
        phone_number.slice(0, longestPrefix - shorter),
      ).find((prefix) => prefix in ends);
      const expected = quietUntilFor(night, { timezone: null, phone_number }, now)?.toISOString() ?? null;
      assert.equal(ends[found ?? ''], expected, `${phone_number} (${countryOf(phone_number)}) at ${hour}:30`);
    }
    for (const timezone of zoneNames) {
      const expected = quietUntilFor(night, { timezone, phone_number: null }, now)?.toISOString() ?? null;
      assert.equal(ends[smallAscii(timezone)], expected, `${timezone} at ${hour}:30`);
    }
    assert.equal(ends[''], ends['europe/oslo']);
  }
});
