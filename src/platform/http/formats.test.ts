import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDateTime, isWebUrl } from './formats.ts';

test('a date-time is ISO 8601 with a zone and a real date', () => {
  const good = [
    '2026-11-20T04:00:00Z',
    '2026-11-20T04:00Z',
    '2026-11-20T04:00:00.1Z',
    '2026-11-20T04:00:00.123456789Z',
    '2026-11-20T04:00:00+03:00',
    '2026-11-20T04:00:00+0300',
    '2026-11-20T04:00:00+03',
    '2026-11-20T04:00-0330',
    '2026-11-20T23:59:59-23:59',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ];
  for (const text of good) assert.ok(isDateTime(text), text);
});

test('a date-time that PostgreSQL or the calendar would refuse is refused', () => {
  const bad = [
    '',
    'tomorrow',
    '1700000000',
    '2026-11-20',
    '2026-11-20T04:00:00',
    '2026-11-20 04:00:00Z',
    '2026-11-20t04:00:00z',
    '2026-11-20T04:00:00+24:00',
    '2026-11-20T04:00:00,5Z',
    '2026-11-20T04:00:00.Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T04:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:00-00:01',
    '+002026-11-20T04:00:00Z',
    '2026-11-20T04:00:00Z\n',
    ' 2026-11-20T04:00:00Z',
    '２０２６-11-20T04:00:00Z',
  ];
  for (const text of bad) assert.ok(!isDateTime(text), text);
});

test('every date-time that we print can be read again', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      }),
      (date) => isDateTime(date.toISOString()),
    ),
  );
});

test('a web address is http or https with a host', () => {
  for (const text of [
    'http://example.org',
    'https://example.org/a?b=c#d',
    'HTTPS://EXAMPLE.ORG/',
    'http://127.0.0.1:8080/hook',
    'http://[::1]:8080/',
    'https://пример.рф/путь',
    'http://localhost',
  ]) {
    assert.ok(isWebUrl(text), text);
  }
  for (const text of [
    '',
    'example.org',
    '//example.org',
    'ftp://example.org',
    'javascript:alert(1)',
    'http:example.org',
    'http:/example.org',
    'http:///example.org',
    'http://',
    'https://?a',
    'http://:80/',
    'http://example.org:99999/',
    'http://exa mple.org',
    ' http://example.org',
    'http://example.org\n',
    'http://exam\tple.org',
    'http://example.org\\@evil.test',
    'http://[::1',
  ]) {
    assert.ok(!isWebUrl(text), text);
  }
});
