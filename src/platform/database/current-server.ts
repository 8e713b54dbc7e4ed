import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from './connection.ts';
import { findServer, type Search } from './find-server.ts';
import type { DatabaseAddress } from './server-address.ts';
import { createServerPool, type ServerPool, type ServerPoolOptions } from './server-pool.ts';

/** The server of an address that takes the statements now. */
export type CurrentServer = {
  /** @throws ConnectionLost when it is lost, and no other is found in time. */
  pool(): Promise<ServerPool>;
  end(): Promise<void>;
};

/**
 * A request may have waited for a statement without an answer before it needs the next one. It is refused in time if
 * that one fails soon. The search continues for later requests.
 */
const searchMs = 500;

/** @throws the server's error, or ConnectionLost when the server cannot be reached. */
export async function openCurrentServer(
  address: DatabaseAddress,
  options: ServerPoolOptions & Search,
): Promise<CurrentServer> {
  let current = await open();
  let search: Promise<ServerPool> | null = null;

  async function open(): Promise<ServerPool> {
    const server = await findServer(address, options);
    return createServerPool(address, server, options);
  }

  async function reopen(): Promise<ServerPool> {
    try {
      current = await open();
      return current;
    } finally {
      search = null;
    }
  }

  /**
   * Callers that find the server lost at the same time share one search. They wait for it less long than the search
   * may take.
   */
  async function pool(): Promise<ServerPool> {
    if (!current.isLost) return current;
    search ??= reopen();
    const patience = new AbortController();
    const giveUp = delay(searchMs, undefined, { signal: patience.signal }).then(() => {
      throw new ConnectionLost(`no server has been found for ${searchMs} ms`);
    });
    return await Promise.race([search, giveUp]).finally(() => patience.abort());
  }

  async function end(): Promise<void> {
    await search?.catch(() => {});
    await current.end();
  }

  return { pool, end };
}
