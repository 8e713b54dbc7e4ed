import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
type Rule = { port: number | null } & ({ host: string } | { range: [Ip, number] });

/** The destinations beyond the public internet that the installation's operator allows for users' addresses. */
export type AllowList = {
  /** The name itself is trusted, wherever it resolves to. */
  host(host: string, port: number): boolean;
  address(ip: Ip, port: number): boolean;
};

const HOST_AND_PORT = /^(?<host>\[[^\]]+\]|[^[\]:/\s]+)(?::(?<port>\d{1,5}))?$/;

/**
 * Reads the entries of `PATCHBAY_ALLOW_OUTBOUND`: a CIDR range, an address or a host name. The last two may have a
 * `:port`. Throws a sentence for people about any other entry.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const rules = entries.map(parseRule);
  const open = (rule: Rule, port: number) => rule.port === null || rule.port === port;
  return {
    host: (host, port) => rules.some((rule) => 'host' in rule && rule.host === host && open(rule, port)),
    address: (ip, port) =>
      rules.some((rule) => 'range' in rule && contains(rule.range, ip) && open(rule, port)),
  };
}

function parseRule(entry: string): Rule {
  if (isIP(entry)) return { port: null, range: singleAddress(entry) };
  if (ipaddr.isValidCIDR(entry)) return { port: null, range: ipaddr.parseCIDR(entry) };
  const { host, port } = HOST_AND_PORT.exec(entry)?.groups ?? {};
  const name = host && URL.parse(`http://${host}`)?.hostname;
  if (!name) throw new Error(`PATCHBAY_ALLOW_OUTBOUND: "${entry}" is neither an address range nor a host.`);
  const literal = canonicalHost(name);
  const rule = isIP(literal) ? { range: singleAddress(literal) } : { host: literal };
  return { port: port === undefined ? null : Number(port), ...rule };
}

function singleAddress(address: string): [Ip, number] {
  const ip = ipaddr.parse(address);
  return [ip, ip.kind() === 'ipv4' ? 32 : 128];
}

const contains = (range: [Ip, number], ip: Ip): boolean => range[0].kind() === ip.kind() && ip.match(range);

/** A URL's `hostname` without the brackets of IPv6 and without the final dot of a full domain name. */
export const canonicalHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '');
