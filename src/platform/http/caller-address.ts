import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { AddressRange } from '../config.ts';

/**
 * The address of a caller, for counting. A configured proxy writes its caller at the end of `X-Forwarded-For`. Other
 * callers may write anything there. IPv6 counts by the /64, which belongs to one customer.
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

/** All callers whose address a proxy writes in an unreadable form count as one. */
const unreadable = 'unreadable';

/** Some proxies add the port. */
const addressIn = (text: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/**
 * The same, for limiting strangers. A loopback address gives null: it belongs to an unconfigured proxy, and all
 * callers behind the proxy would share it.
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
