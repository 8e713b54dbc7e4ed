import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * Where a request comes from, to count by. A caller on our own network is our proxy, which writes its caller at the end of
 * `X-Forwarded-For`; anybody else may write there what they like. Of IPv6 the /64, which is one customer's.
 */
export function callerAddress({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): string {
  const forwarded =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? '';
  return networkOf(isOurOwn(ip) && ipaddr.isValid(forwarded) ? forwarded : ip);
}

const ourOwn = ['loopback', 'private', 'uniqueLocal', 'linkLocal'];

const isOurOwn = (ip: string): boolean => ipaddr.isValid(ip) && ourOwn.includes(ipaddr.process(ip).range());

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : address.toNormalizedString().split(':', 4).join(':');
}
