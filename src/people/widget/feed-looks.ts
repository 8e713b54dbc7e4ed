import type { Context } from '../../platform/context.ts';
import { type Looks, startLooks } from '../../platform/pump/looks.ts';
import type { Connection, Connections } from './feed-connections.ts';
import { tellNews } from './feed-telling.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'log'>;

/** One statement looks for the news of so many connections. */
const lookedAtOnce = 100;

/**
 * Shared looks serve all connections. One whose shared look has failed, or that has more unsent than a piece, is apart
 * until it has everything. It then has looks of its own, one connection after another, and delays no other one.
 */
export function startFeedLooks(
  tools: Tools,
  connections: Connections,
  onRound: (isBeat: boolean) => void,
): Looks {
  /** Those apart whose browsers have room. */
  const ready = new Set<Connection>();
  /** Those apart whose own look has failed. They are tried again in the next round. */
  const failed = new Set<Connection>();
  const onProblem = (error: unknown) => tools.log.warn({ err: error }, 'widget: could not look for news');
  const shared = startLooks({ look, onProblem, onRound });
  const apart = startLooks({ look: lookApart, onProblem, onRound: () => retry(ready, failed) });

  async function look(): Promise<void> {
    const concerned = connections.takeConcerned();
    let problem: unknown = null;
    for (let from = 0; from < concerned.length; from += lookedAtOnce) {
      const some = concerned.slice(from, from + lookedAtOnce);
      const failure = await failureOf(tools, some);
      for (const connection of some) if (failure || connection.unsent.length > 0) setApart(connection);
      problem ??= failure;
    }
    if (problem) throw problem;
  }

  async function lookApart(): Promise<void> {
    const looked = [...ready];
    ready.clear();
    let problem: unknown = null;
    for (const connection of looked) {
      if (!connections.all.has(connection)) continue;
      const failure = await failureOf(tools, [connection]);
      if (failure) failed.add(connection);
      else if (connection.unsent.length > 0) setApart(connection);
      else rejoin(connection);
      problem ??= failure;
    }
    if (problem) throw problem;
  }

  async function setApart(connection: Connection): Promise<void> {
    connection.isApart = true;
    await connection.listener.drained();
    ready.add(connection);
    apart.soon();
  }

  function rejoin(connection: Connection): void {
    connection.isApart = false;
    connections.concern(connection);
    shared.soon();
  }

  return {
    soon: shared.soon,
    begin() {
      shared.begin();
      apart.begin();
    },
    end() {
      shared.end();
      apart.end();
    },
  };
}

function retry(ready: Set<Connection>, failed: Set<Connection>): void {
  for (const connection of failed) ready.add(connection);
  failed.clear();
}

/** Why the news of these connections were not all sent. Null if they were, as far as their browsers have read. */
async function failureOf({ sql, clock }: Tools, watched: readonly Connection[]): Promise<unknown> {
  try {
    await tellNews(sql, watched, clock.now());
    return null;
  } catch (error) {
    return error;
  }
}
