import assert from 'node:assert/strict';
import { test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { callerAddress } from './caller-address.ts';

const proxies = ['127.0.0.0/8', '::1/128', '10.0.0.0/24'].map((range) => ipaddr.parseCIDR(range));

// biome-ignore format: a table is read in columns
const callers: [ip: string, forwarded: string | undefined, address: string][] = [
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.2', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.2', '1.1.1.1, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
  ['10.0.0.2', '10.0.0.3', '10.0.0.3'],
  ['10.0.1.2', '198.51.100.1', '10.0.1.2'],
  ['192.168.0.1', '198.51.100.1', '192.168.0.1'],
  ['172.17.0.1', '198.51.100.1', '172.17.0.1'],
  ['::1', 'unknown', 'unreadable'],
  ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['127.0.0.1', '[2001:db8:1:2:3::4]:4711', '2001:db8:1:2'],
  ['127.0.0.1', '[2001:db8:1:2:3::4]', '2001:db8:1:2'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::1', '2001:db8:1:2:3::4', '2001:db8:1:2'],
  ['2001:4860:1:2:3::4', '198.51.100.1', '2001:4860:1:2'],
  ['127.0.0.1', '198.51.100.1, \'; drop table', 'unreadable'],
  ['127.0.0.1', '', '127.0.0.1'],
];

test('only a proxy that the installation names is trusted about its caller', () => {
  for (const [ip, forwarded, address] of callers) {
    assert.equal(
      callerAddress({ ip, headers: { 'x-forwarded-for': forwarded } }, proxies),
      address,
      `${ip} ${forwarded}`,
    );
  }
});
