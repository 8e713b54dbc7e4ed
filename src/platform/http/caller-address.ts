import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { AddressRange } from '../config.ts';

/**
 * Where a request comes from, to count by. A proxy that the installation names writes its caller at the end of
 * `X-Forwarded-For`; anybody else may write there what they like. Of IPv6 the /64, which is one customer's.
 */
export function callerAddress(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  trustedProxies: readonly AddressRange[],
): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  let address = ip;
  while (forwarded.length > 0 && isAmong(trustedProxies, address)) {
    const caller = addressIn(forwarded.pop()?.trim() ?? '');
    if (caller === '') break;
    if (!ipaddr.isValid(caller)) return unreadable;
    address = caller;
  }
  return networkOf(address);
}

/** All whose address a proxy writes as nobody can read it are one caller. */
const unreadable = 'unreadable';

/** Some proxies write the port, too. */
const addressIn = (text: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/**
 * The same, to limit strangers by. Nobody outside has an address of loopback: that is a proxy which nobody has named, and would
 * be one and the same for all; it gives null.
 */
export function strangerAddress(
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  trustedProxies: readonly AddressRange[],
): string | null {
  const address = callerAddress(request, trustedProxies);
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback' ? null : address;
}

function isAmong(ranges: readonly AddressRange[], ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : address.toNormalizedString().split(':', 4).join(':');
}
