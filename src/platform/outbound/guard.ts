import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { messages } from '../problem.ts';
import { canonicalHost, parseAllowList } from './allow.ts';
import { type Address, dnsLookup, type Lookup, shared, systemLookup } from './lookup.ts';

/** The address may not be called. The message is for the person who entered it. */
export class OutboundRefused extends Error {}

/**
 * Decides which addresses a user may make us call: those on the public internet, and those that the operator allowed.
 * Source: docs/contract.md, section 8.
 */
export type Guard = {
  /** Checks an address as far as possible without resolving its host name. Throws `OutboundRefused`. */
  admit(url: string): Readonly<URL>;
  /**
   * The addresses to connect to for a host name. The caller must use exactly these: a second lookup may answer
   * differently.
   */
  resolve(hostname: string, port: number): Promise<Address[]>;
  /** The same for other protocols than HTTP. The host can be an IP address, and the ports of mail are allowed. */
  resolveFor(host: string, port: number): Promise<Address[]>;
};

type PortRule = (port: number) => boolean;

const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const KEPT_ADDRESSES = 1_000;
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's host service: its address is public, but answers only from inside a machine. */
const AZURE_HOST = ipaddr.IPv4.parseCIDR('168.63.129.16/32');

export function createGuard(allow: readonly string[], lookup?: Lookup): Guard {
  const allowed = parseAllowList(allow);
  /** An address is called again and again, and its check does not depend on the time. */
  const admitted = new Map<string, URL>();
  const publicLookup = shared(lookup ?? dnsLookup());
  const trustedLookup = shared(lookup ?? systemLookup);

  const permitted = (address: string, port: number, isOpen: PortRule): boolean => {
    const ip = ipaddr.parse(address);
    return allowed.address(ip, port) || (isPublic(ip) && isOpen(port));
  };

  const permittedOf = (host: string, port: number, addresses: Address[], isOpen: PortRule): Address[] => {
    const reachable = addresses.filter(({ address }) => permitted(address, port, isOpen));
    if (reachable.length === 0) throw notPublic(host, port, isOpen);
    return reachable;
  };

  const resolve = async (hostname: string, port: number, isOpen: PortRule): Promise<Address[]> => {
    const host = canonicalHost(hostname);
    if (isLoopbackName(host))
      return allowed.host(host, port) ? LOOPBACK : permittedOf(host, port, LOOPBACK, isOpen);
    if (allowed.host(host, port)) return trustedLookup(host);
    return permittedOf(host, port, await publicLookup(host), isOpen);
  };

  const checked = (text: string): URL => {
    const url = parseHttpUrl(text);
    const host = canonicalHost(url.hostname);
    const port = portOf(url);
    if (isIP(host) && !permitted(host, port, isOrdinaryPort)) throw notPublic(host, port, isOrdinaryPort);
    if (isLoopbackName(host) && !allowed.host(host, port)) permittedOf(host, port, LOOPBACK, isOrdinaryPort);
    return url;
  };

  return {
    admit(text) {
      const known = admitted.get(text);
      if (known) return known;
      const url = checked(text);
      if (admitted.size >= KEPT_ADDRESSES) admitted.clear();
      admitted.set(text, url);
      return url;
    },

    resolve: (hostname, port) => resolve(hostname, port, isOrdinaryPort),

    async resolveFor(text, port) {
      const host = canonicalHost(text);
      const family = isIP(host);
      if (family === 0) return resolve(host, port, isMailPort);
      return permittedOf(host, port, [{ address: host, family }], isMailPort);
    },
  };
}

function parseHttpUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new OutboundRefused('This is not a valid address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused('The address must begin with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new OutboundRefused(messages.userinfo);
  }
  return url;
}

/** The port of a URL, explicit or default. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** Beside the ranges known as special, only 2000::/3 is assigned. The rest holds IPv4 addresses in disguise. */
const isPublic = (ip: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 ? !ip.match(AZURE_HOST) : ip.match(GLOBAL_IPV6));

/** The other low ports belong to protocols like mail, DNS and SSH. An HTTP request can be made to imitate them. */
const isOrdinaryPort = (port: number): boolean => port === 80 || port === 443 || port >= 1024;

const MAIL_PORTS: ReadonlySet<number> = new Set([25, 143, 465, 587, 993]);
const isMailPort = (port: number): boolean => isOrdinaryPort(port) || MAIL_PORTS.has(port);

/** RFC 6761: these names never reach a name server. */
const isLoopbackName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Names the host as the user wrote it. Its addresses would reveal the knowledge of our name servers. */
const notPublic = (host: string, port: number, isOpen: PortRule): OutboundRefused =>
  new OutboundRefused(
    isOpen(port)
      ? `The host ${host} is not on the public internet.`
      : `Port ${port} is not one that is used here, or the host ${host} is not on the public internet.`,
  );
