import type { Context } from '../../platform/context.ts';
import { nilUuid } from '../../platform/id.ts';
import { createPlaces } from '../../platform/places.ts';
import { loadWidgets, type Widget } from './load.ts';
import type { ChatAddress, MessageRow, News } from './store.ts';

/** A connected browser. */
export type Listener = {
  news(message: MessageRow): void;
  /** Whether the browser should read before more is sent. */
  isFull(): boolean;
  /** Resolves when the browser has read enough, or has left. */
  drained(): Promise<void>;
  /** An operator is typing. Valid for 5 s. */
  typing(author: string): void;
  /** Keeps proxies from closing a silent connection. */
  heartbeat(): void;
  end(): void;
  /** Whether the channel still admits the visitor. */
  isWelcome(widget: Widget | undefined): boolean;
};

export type Connection = {
  chat: ChatAddress;
  listener: Listener;
  since: Date;
  oldestWaiting: string | null;
  /** The times when the recently sent messages became visible. */
  told: Map<string, Date>;
  /** Messages that were found and not sent yet. */
  unsent: News[];
  /** Whether the shared looks pass it over, because it has looks of its own. */
  isApart: boolean;
};

export type Connections = {
  readonly all: ReadonlySet<Connection>;
  /** Returns a function that removes the connection. Null when the chat has too many already. */
  add(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null;
  /** A change may concern every connection. */
  concernAll(): void;
  /** A change may concern this connection. */
  concern(connection: Connection): void;
  /** The connections that a change since the last call may concern, and new ones. */
  takeConcerned(): Connection[];
  /** Ends every connection. */
  endAll(): void;
};

const mostListenersOfChat = 10;

export function createConnections(): Connections {
  const all = new Set<Connection>();
  /** Connections that need a look without a change. Thousands may connect at once, after a start or an outage. */
  const fresh = new Set<Connection>();
  const ofChats = createPlaces();
  let mayConcernAll = false;

  return {
    all,
    add(chat, since, listener) {
      const subject = `${chat.channelId} ${chat.address}`;
      const leave = ofChats.take(1, [{ subject, most: mostListenersOfChat }]);
      if (!leave) return null;
      const connection: Connection = {
        chat,
        listener,
        since,
        oldestWaiting: nilUuid,
        told: new Map(),
        unsent: [],
        isApart: false,
      };
      all.add(connection);
      fresh.add(connection);
      return () => {
        leave();
        all.delete(connection);
        fresh.delete(connection);
      };
    },
    concernAll() {
      mayConcernAll = true;
    },
    concern(connection) {
      if (all.has(connection)) fresh.add(connection);
    },
    takeConcerned() {
      const concerned = [...(mayConcernAll ? all : fresh)].filter(({ isApart }) => !isApart);
      mayConcernAll = false;
      fresh.clear();
      return concerned;
    },
    endAll() {
      for (const { listener } of all) listener.end();
      all.clear();
      fresh.clear();
    },
  };
}

/** Ends the connections of visitors of a deleted widget, and of users whose key is no longer valid. */
export async function endUnwelcome(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  connections: Iterable<Connection>,
): Promise<void> {
  const byChannel = Map.groupBy(connections, ({ chat }) => chat.channelId);
  const widgets = await loadWidgets({ sql, vault }, [...byChannel.keys()]);
  for (const [id, ofChannel] of byChannel) {
    for (const { listener } of ofChannel) if (!listener.isWelcome(widgets.get(id))) listener.end();
  }
}
