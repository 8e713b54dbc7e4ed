import { promises as dns, type LookupAddress } from 'node:dns';

export type Address = LookupAddress;
/** All addresses of a host name. Rejects if it has none. */
export type Lookup = (host: string) => Promise<Address[]>;

const QUERY_TIMEOUT_MS = 2000;
const QUERY_TRIES = 2;

/**
 * For names from users: asks the name servers only. The system's own lookup runs on libuv's four threads, which the
 * file system shares. A few names on a slow server would stop the whole process.
 */
export function dnsLookup(): Lookup {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found: Address[] = [];
    if (v4.status === 'fulfilled') found.push(...v4.value.map((address) => ({ address, family: 4 })));
    if (v6.status === 'fulfilled') found.push(...v6.value.map((address) => ({ address, family: 6 })));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

/** For names that the operator allowed: `/etc/hosts` and every other source of the machine. */
export const systemLookup: Lookup = (host) => dns.lookup(host, { all: true });

/** Concurrent callers for the same name share one lookup: a burst of connections makes one query. */
export function shared(lookup: Lookup): Lookup {
  const underWay = new Map<string, Promise<Address[]>>();
  return (host) => {
    const running = underWay.get(host);
    if (running) return running;
    const fresh = lookup(host).finally(() => underWay.delete(host));
    underWay.set(host, fresh);
    return fresh;
  };
}
