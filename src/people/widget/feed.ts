import type { Context } from '../../platform/context.ts';
import { createConnections, endUnwelcome, type Listener } from './feed-connections.ts';
import { startFeedLooks } from './feed-looks.ts';
import { tellTyping } from './feed-telling.ts';
import type { ChatAddress } from './store.ts';
import { hearTyping } from './typing.ts';

export type LiveFeed = {
  /**
   * Sends the listener every visible message of the chat since that time, some of them again. Returns a function that
   * ends the connection. Null when the chat has too many connections already.
   */
  connect(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null;
  /** Ends every connection. */
  stop(): void;
};

type Tools = Pick<Context, 'sql' | 'vault' | 'clock' | 'wake' | 'log'>;

/**
 * Sends messages to the browsers connected to this process. One statement serves many of them after each write, with a
 * slow look in addition. Without connections it does nothing.
 */
export function startLiveFeed({ sql, vault, clock, wake, log }: Tools): LiveFeed {
  const connections = createConnections();
  const looks = startFeedLooks({ sql, clock, log }, connections, (isBeat) => {
    connections.concernAll();
    endUnwelcome({ sql, vault }, connections.all).catch((error: unknown) =>
      log.warn({ err: error }, 'widget: could not check the permissions of connections'),
    );
    if (isBeat) for (const { listener } of connections.all) listener.heartbeat();
  });
  const forget = wake.subscribe('live', () => {
    connections.concernAll();
    looks.soon();
  });
  const endHearing = hearTyping(wake, (typing) => {
    tellTyping(sql, connections.all, typing).catch((error: unknown) =>
      log.warn({ err: error }, 'widget: could not tell a client of typing'),
    );
  });

  return {
    connect(chat, since, listener) {
      const remove = connections.add(chat, since, listener);
      if (!remove) return null;
      looks.begin();
      looks.soon();
      return () => {
        remove();
        if (connections.all.size === 0) looks.end();
      };
    },
    stop() {
      forget();
      endHearing();
      looks.end();
      connections.endAll();
    },
  };
}
