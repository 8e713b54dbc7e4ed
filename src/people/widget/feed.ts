import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { startLooks } from '../../platform/pump/looks.ts';
import { loadWidgets, type Widget } from './load.ts';
import { type ChatAddress, findAddress, findNews, type MessageRow, type News } from './store.ts';

/** Where a browser hangs on. */
export type Listener = {
  news(messages: MessageRow[]): void;
  /** Somebody of the team is writing; it holds for 5 s. */
  typing(author: string): void;
  /** Keeps what stands in between from thinking that nobody is there. */
  heartbeat(): void;
  end(): void;
  /** Whether the channel still lets them in. */
  isWelcome(widget: Widget | undefined): boolean;
};

export type LiveFeed = {
  /**
   * Tells the listener of every message of the chat that can be seen since that moment, some of them once more than
   * it knows. Returns what ends it; null when too many are listening to this chat already.
   */
  connect(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null;
  /** Tells a chat's client that somebody is writing to them, where they are connected to this process; nowhere is it kept. */
  typing(chat: { projectId: string; id: string }, author: string): Promise<void>;
  /** Ends every connection. */
  stop(): void;
};

type Connection = {
  chat: ChatAddress;
  listener: Listener;
  since: Date;
  oldestWaiting: string | null;
  /** When the messages that were told lately could be seen first. */
  told: Map<string, Date>;
};

/**
 * Moments and ids are made before the row is written, by several machines: for this long a message may turn up behind
 * those that are known. A worker that cannot reach the database keeps a result for up to 20 s.
 */
const lateByMs = 30_000;
const mostListenersOfChat = 10;

const beforeAllIds = '00000000-0000-0000-0000-000000000000';
const lateness = (moment: Date): Date => new Date(moment.getTime() - lateByMs);

/**
 * Carries messages to the browsers that are connected to this process: one statement for all of them whenever something
 * was written, and a slow look behind that. With nobody connected it does nothing at all.
 */
export function startLiveFeed({
  sql,
  vault,
  clock,
  wake,
  log,
}: Pick<Context, 'sql' | 'vault' | 'clock' | 'wake' | 'log'>): LiveFeed {
  const connections = new Set<Connection>();
  const looks = startLooks({
    look: () => tellNews(sql, [...connections], clock.now()),
    onProblem: (error) => log.warn({ err: error }, 'widget: could not look for news'),
    onRound: (isBeat) => {
      endUnwelcome({ sql, vault }, connections).catch((error: unknown) =>
        log.warn({ err: error }, 'widget: could not look who may stay'),
      );
      if (isBeat) for (const { listener } of connections) listener.heartbeat();
    },
  });
  const forget = wake.subscribe('live', looks.soon);

  function connect(chat: ChatAddress, since: Date, listener: Listener): (() => void) | null {
    const others = [...connections].filter((other) => isSame(other.chat, chat));
    if (others.length >= mostListenersOfChat) return null;
    const connection: Connection = { chat, listener, since, oldestWaiting: beforeAllIds, told: new Map() };
    connections.add(connection);
    looks.begin();
    looks.soon();
    return () => disconnect(connection);
  }

  function disconnect(connection: Connection): void {
    connections.delete(connection);
    if (connections.size === 0) looks.end();
  }

  async function typing(chat: { projectId: string; id: string }, author: string): Promise<void> {
    if (connections.size === 0) return;
    const address = await findAddress(sql, chat);
    for (const connection of connections) {
      if (address && isSame(connection.chat, address)) connection.listener.typing(author);
    }
  }

  function stop(): void {
    forget();
    looks.end();
    for (const { listener } of connections) listener.end();
    connections.clear();
  }

  return { connect, typing, stop };
}

/** Visitors of a widget that was deleted, and users for whom nobody vouches any more, hear nothing more. */
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
