import { randomBytes } from 'node:crypto';

/** Text that does not compress: text that is too long for an index stays too long. */
const noise = (length: number): string => randomBytes(length).toString('base64').slice(0, length);

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

/** Values that break programs: wrong types, limits of numbers and of time, and text that programs often forget. */
export const hostileValues: readonly unknown[] = [
  ...[null, true, [], {}, [null], [[]], { a: 1 }, nested(20), nested(40), { constructor: 1, length: -1 }],
  ...[0, -1, 1.5, -0.1, 2 ** 31, 2 ** 53, 2 ** 63, 2 ** 64, 1e21, 1e308, -1e308, 5e-324],
  ...['', ' ', '\n', '0', '-1', '1e400', 'NaN', 'Infinity', 'null', 'true', '9'.repeat(400)],
  ...[
    'x'.repeat(10_000),
    noise(2_700),
    noise(10_000),
    'é'.repeat(5_000),
    '👩‍👩‍👧'.repeat(500),
    '\u0301'.repeat(1_000),
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00b',
    '\ufeff',
    '\ufffe',
    '\u202etxet',
    '\u2028',
    '\u{10ffff}',
    '\x1b[31m',
    'ﬃ',
    'ı',
    'İ',
  ],
  ...[
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-23:59',
  ],
  ...[
    '2026-11-20T12:00:00+23:59',
    '2026-11-20T12:00:00.123456789-23:59',
    '2026-02-30T00:00:00Z',
    '2016-12-31T23:59:60Z',
  ],
  ...['0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 'infinity', '-infinity', 'now', 'epoch', 'today'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF',
  ],
  ...[
    '{00000000-0000-0000-0000-000000000000}',
    '00000000000000000000000000000000',
    '0190a1b2-0000-7000-8000-00000000000g',
  ],
  ...[
    "'",
    '"',
    '\\',
    '%',
    '_',
    '$1',
    '{}',
    '{a,"b',
    '(1,2)',
    '--',
    "'; drop table messages; --",
    "' or '1'='1",
    '\\x00',
  ],
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '../../etc/passwd',
    '{{constructor}}',
    '<script>alert(1)</script>',
  ],
  ...['+0', '+1', '+999999999999999', '+1202555010', '(((((', '@', '@a', '@'.repeat(64), 'user:x/y', 'a b'],
  ...[
    'http://',
    'http://[::1',
    'http://a b/',
    'http://xn--/',
    'http://127.0.0.1:1/',
    'javascript:alert(1)',
    'http://\0.test/',
  ],
  ...[
    `http://${'a'.repeat(300)}.test/`,
    `http://shop.test/${noise(9_000)}`,
    'http://shop.test:99999/',
    'http://1.1.1.1\\@::1/',
  ],
];
