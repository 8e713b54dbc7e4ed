import type { Sql } from '../../platform/database/database.ts';
import type { Connection } from './feed-connections.ts';
import {
  type ChatAddress,
  findAddress,
  findContents,
  findNews,
  type MessageRow,
  type News,
} from './store.ts';
import type { Typing } from './typing.ts';

/**
 * Times and ids are made before the row is written, on several machines. For this long a message may appear behind
 * known ones. A worker without its database keeps a result for up to 20 s.
 */
const lateByMs = 30_000;

const lateness = (moment: Date): Date => new Date(moment.getTime() - lateByMs);

/** One statement looks for the news of so many connections. A costly one delays no more of them. */
const lookedAtOnce = 500;

/** The contents in memory at the same time, and those of one connection: each may have 65,536 characters. */
const contentsAtOnce = 100;

/** Sends each listener the visible messages of its chat since its last look. */
export async function tellNews(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  for (let from = 0; from < watched.length; from += lookedAtOnce) {
    await tellSome(sql, watched.slice(from, from + lookedAtOnce), now);
  }
}

/** A connection with the messages that it does not know yet. */
type Due = { connection: Connection; oldestWaiting: string | null; fresh: News[] };

async function tellSome(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  const news = Map.groupBy(
    await findNews(sql, watched.map(toWatch), lateness(now)),
    ({ position }) => position,
  );
  let group: Due[] = [];
  let contents = 0;
  for (const [position, connection] of watched.entries()) {
    const due = dueOf(connection, news.get(position) ?? []);
    group.push(due);
    contents += due.fresh.length;
    if (contents < contentsAtOnce) continue;
    await tellGroup(sql, group, now);
    group = [];
    contents = 0;
  }
  await tellGroup(sql, group, now);
}

const toWatch = ({ chat, since, oldestWaiting }: Connection, position: number) => ({
  position,
  project_id: chat.projectId,
  channel_id: chat.channelId,
  address: chat.address,
  since: lateness(since),
  oldest_waiting: oldestWaiting,
});

const dueOf = (connection: Connection, found: News[]): Due => ({
  connection,
  oldestWaiting: found.find(({ is_waiting }) => is_waiting)?.id ?? null,
  fresh: found.filter(({ id, is_waiting }) => !is_waiting && !connection.told.has(id)),
});

async function tellGroup(sql: Sql, group: readonly Due[], now: Date): Promise<void> {
  const keys = group.flatMap(({ connection: { chat }, fresh }) =>
    fresh.map(({ id }) => [id, { project_id: chat.projectId, id }] as const),
  );
  // Several connections may show the same chat.
  const contents = keys.length > 0 ? await findContents(sql, [...new Map(keys).values()]) : new Map();
  for (const due of group) tell(due, contents, now);
}

function tell(
  { connection, oldestWaiting, fresh }: Due,
  contents: ReadonlyMap<string, MessageRow>,
  now: Date,
): void {
  connection.oldestWaiting = oldestWaiting;
  connection.since = now;
  for (const { id, at } of fresh) connection.told.set(id, at);
  for (const [id, at] of connection.told) if (at < lateness(now)) connection.told.delete(id);
  const messages = fresh.flatMap(({ id }) => contents.get(id) ?? []);
  if (messages.length > 0) connection.listener.news(messages);
}

/** An operator is typing. Their client may be connected to this process. */
export async function tellTyping(
  sql: Sql,
  connections: ReadonlySet<Connection>,
  { project, chat, author }: Typing,
): Promise<void> {
  if (connections.size === 0) return;
  const address = await findAddress(sql, { projectId: project, id: chat });
  for (const connection of connections) {
    if (address && isSame(connection.chat, address)) connection.listener.typing(author.name);
  }
}

const isSame = (a: ChatAddress, b: ChatAddress): boolean =>
  a.channelId === b.channelId && a.address === b.address;
