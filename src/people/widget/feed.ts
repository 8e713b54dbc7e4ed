import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { nilUuid } from '../../platform/id.ts';
import { createPlaces } from '../../platform/places.ts';
import { startLooks } from '../../platform/pump/looks.ts';
import { loadWidgets, type Widget } from './load.ts';
import { type ChatAddress, findAddress, findNews, type MessageRow, type News } from './store.ts';
import { hearTyping, type Typing } from './typing.ts';

/** A connected browser. */
export type Listener = {
  news(messages: MessageRow[]): void;
  /** An operator is typing. Valid for 5 s. */
  typing(author: string): void;
  /** Keeps proxies from closing a silent connection. */
  heartbeat(): void;
  end(): void;
  /** Whether the channel still admits the visitor. */
  isWelcome(widget: Widget | undefined): boolean;
};

export type LiveFeed = {
  /**
   * Sends the listener every visible message of the chat since that time, some of them again. Returns a function that
   * ends the connection. Null when the chat has too many connections already.
   */
  connect(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null;
  /** Ends every connection. */
  stop(): void;
};

type Connection = {
  chat: ChatAddress;
  listener: Listener;
  since: Date;
  oldestWaiting: string | null;
  /** The times when the recently sent messages became visible. */
  told: Map<string, Date>;
};

/**
 * Times and ids are made before the row is written, on several machines. For this long a message may appear behind
 * known ones. A worker without its database keeps a result for up to 20 s.
 */
const lateByMs = 30_000;
const mostListenersOfChat = 10;

const lateness = (moment: Date): Date => new Date(moment.getTime() - lateByMs);

/**
 * Sends messages to the browsers connected to this process. One statement serves all of them after each write, with a
 * slow look in addition. Without connections it does nothing.
 */
export function startLiveFeed({
  sql,
  vault,
  clock,
  wake,
  log,
}: Pick<Context, 'sql' | 'vault' | 'clock' | 'wake' | 'log'>): LiveFeed {
  const connections = new Set<Connection>();
  const ofChats = createPlaces();
  /** Connections that no look has seen. Thousands may connect at once, after a start or an outage. */
  const fresh = new Set<Connection>();
  let mayConcernAll = false;
  const looks = startLooks({
    look,
    onProblem: (error) => log.warn({ err: error }, 'widget: could not look for news'),
    onRound: (isBeat) => {
      mayConcernAll = true;
      endUnwelcome({ sql, vault }, connections).catch((error: unknown) =>
        log.warn({ err: error }, 'widget: could not check the permissions of connections'),
      );
      if (isBeat) for (const { listener } of connections) listener.heartbeat();
    },
  });
  const forget = wake.subscribe('live', () => {
    mayConcernAll = true;
    looks.soon();
  });
  const endHearing = hearTyping(wake, (typing) => {
    tellClient(typing).catch((error: unknown) =>
      log.warn({ err: error }, 'widget: could not tell a client of typing'),
    );
  });

  async function look(): Promise<void> {
    const watched = [...(mayConcernAll ? connections : fresh)];
    mayConcernAll = false;
    fresh.clear();
    if (watched.length === 0) return;
    await tellNews(sql, watched, clock.now()).catch((error: unknown) => {
      mayConcernAll = true;
      throw error;
    });
  }

  function connect(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null {
    const leave = ofChats.take(1, [
      { subject: `${chat.channelId} ${chat.address}`, most: mostListenersOfChat },
    ]);
    if (!leave) return null;
    const connection: Connection = { chat, listener, since, oldestWaiting: nilUuid, told: new Map() };
    connections.add(connection);
    fresh.add(connection);
    looks.begin();
    looks.soon();
    return () => {
      leave();
      disconnect(connection);
    };
  }

  function disconnect(connection: Connection): void {
    connections.delete(connection);
    fresh.delete(connection);
    if (connections.size === 0) looks.end();
  }

  /** Their client may be connected to this process. */
  async function tellClient({ project, chat, author }: Typing): Promise<void> {
    if (connections.size === 0) return;
    const address = await findAddress(sql, { projectId: project, id: chat });
    for (const connection of connections) {
      if (address && isSame(connection.chat, address)) connection.listener.typing(author.name);
    }
  }

  function stop(): void {
    forget();
    endHearing();
    looks.end();
    for (const { listener } of connections) listener.end();
    connections.clear();
    fresh.clear();
  }

  return { connect, stop };
}

/** Ends the connections of visitors of a deleted widget, and of users whose key is no longer valid. */
async function endUnwelcome(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  connections: Iterable<Connection>,
): Promise<void> {
  const byChannel = Map.groupBy(connections, ({ chat }) => chat.channelId);
  const widgets = await loadWidgets({ sql, vault }, [...byChannel.keys()]);
  for (const [id, ofChannel] of byChannel) {
    for (const { listener } of ofChannel) if (!listener.isWelcome(widgets.get(id))) listener.end();
  }
}

const isSame = (a: ChatAddress, b: ChatAddress): boolean =>
  a.channelId === b.channelId && a.address === b.address;

const toWatch = ({ chat, since, oldestWaiting }: Connection, position: number) => ({
  position,
  project_id: chat.projectId,
  channel_id: chat.channelId,
  address: chat.address,
  since: lateness(since),
  oldest_waiting: oldestWaiting,
});

async function tellNews(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  const news = Map.groupBy(
    await findNews(sql, watched.map(toWatch), lateness(now)),
    ({ position }) => position,
  );
  for (const [position, connection] of watched.entries()) tell(connection, news.get(position) ?? [], now);
}

function tell(connection: Connection, found: News[], now: Date): void {
  const isWaiting = ({ state }: News): boolean => state === 'PENDING' || state === 'IN_PROCESS';
  const fresh = found.filter((message) => !isWaiting(message) && !connection.told.has(message.id));
  const waiting = found.filter(isWaiting).map(({ id }) => id);
  connection.oldestWaiting = waiting.sort()[0] ?? null;
  connection.since = now;
  for (const { id, at } of fresh) connection.told.set(id, at);
  for (const [id, at] of connection.told) if (at < lateness(now)) connection.told.delete(id);
  if (fresh.length > 0) connection.listener.news(fresh);
}
