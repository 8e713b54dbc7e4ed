import type { Context } from '../../platform/context.ts';
import { type Looks, startLooks } from '../../platform/pump/looks.ts';
import type { Connection, Connections } from './feed-connections.ts';
import { tellNews } from './feed-telling.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'log'>;

/** One statement looks for the news of so many connections. */
const lookedAtOnce = 100;

/**
 * Shared looks serve all connections. One that has more unsent than a piece is apart until it has everything. It then has looks of its own, one connection after another, and delays no other one.
 */
export function startFeedLooks(
  { sql, clock, log }: Tools,
  connections: Connections,
  onRound: (isBeat: boolean) => void,
): Looks {
  /** Those apart whose browsers have room. */
  const ready = new Set<Connection>();
  const onProblem = (error: unknown) => log.warn({ err: error }, 'widget: could not look for news');
  const shared = startLooks({ look, onProblem, onRound });
  const apart = startLooks({ look: lookApart, onProblem, onRound: () => {} });

  async function look(): Promise<void> {
    const concerned = connections.takeConcerned();
    try {
      for (let from = 0; from < concerned.length; from += lookedAtOnce) {
        const some = concerned.slice(from, from + lookedAtOnce);
        await tellNews(sql, some, clock.now());
        for (const connection of some) if (connection.unsent.length > 0) setApart(connection);
      }
    } catch (error) {
      connections.concernAll();
      throw error;
    }
  }

  async function lookApart(): Promise<void> {
    const looked = [...ready];
    ready.clear();
    for (const connection of looked) {
      if (!connections.all.has(connection)) continue;
      await tellNews(sql, [connection], clock.now());
      if (connection.unsent.length > 0) setApart(connection);
      else rejoin(connection);
    }
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
