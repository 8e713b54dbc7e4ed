import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerAddress } from './caller-address.ts';

// biome-ignore format: a table is read in columns
const callers: [ip: string, forwarded: string | undefined, address: string][] = [
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.2', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['::1', 'unknown', '0:0:0:0'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::1', '2001:db8:1:2:3::4', '2001:db8:1:2'],
  ['2001:4860:1:2:3::4', '198.51.100.1', '2001:4860:1:2'],
  ['127.0.0.1', '198.51.100.1, \'; drop table', '127.0.0.1'],
];

test('a proxy of ours says who called it, and nobody else is believed', () => {
  for (const [ip, forwarded, address] of callers) {
    assert.equal(
      callerAddress({ ip, headers: { 'x-forwarded-for': forwarded } }),
      address,
      `${ip} ${forwarded}`,
    );
  }
});
