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

/** The messages that one connection is sent before others have their turn. */
const mostOfPiece = 10;

/** The contents in memory at the same time are few more: each may have 65,536 characters. */
const contentsAtOnce = 20;

/**
 * Sends each listener the visible messages of its chat since its last look. What is too much for one piece, or for a
 * slow reader, stays unsent.
 */
export async function tellNews(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  const asking = watched.filter(({ unsent }) => unsent.length === 0);
  if (asking.length > 0) await findUnsent(sql, asking, now);
  let group: Connection[] = [];
  let contents = 0;
  for (const connection of watched) {
    if (connection.unsent.length === 0 || connection.listener.isFull()) continue;
    group.push(connection);
    contents += pieceOf(connection).length;
    if (contents < contentsAtOnce) continue;
    await sendPieces(sql, group);
    group = [];
    contents = 0;
  }
  if (group.length > 0) await sendPieces(sql, group);
}

async function findUnsent(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  const found = await findNews(sql, watched.map(toWatch), lateness(now));
  const news = Map.groupBy(found, ({ position }) => position);
  for (const [position, connection] of watched.entries()) keep(connection, news.get(position) ?? [], now);
}

const toWatch = ({ chat, since, oldestWaiting }: Connection, position: number) => ({
  position,
  project_id: chat.projectId,
  channel_id: chat.channelId,
  address: chat.address,
  since: lateness(since),
  oldest_waiting: oldestWaiting,
});

function keep(connection: Connection, found: News[], now: Date): void {
  const { told } = connection;
  connection.oldestWaiting = found.find(({ is_waiting }) => is_waiting)?.id ?? null;
  connection.since = now;
  connection.unsent = found.filter(({ id, is_waiting }) => !is_waiting && !told.has(id));
  for (const { id, at } of connection.unsent) told.set(id, at);
  for (const [id, at] of told) if (at < lateness(now)) told.delete(id);
}

const pieceOf = ({ unsent }: Connection): News[] => unsent.slice(0, mostOfPiece);

async function sendPieces(sql: Sql, group: readonly Connection[]): Promise<void> {
  const keys = group.flatMap((connection) =>
    pieceOf(connection).map(({ id }) => [id, { project_id: connection.chat.projectId, id }] as const),
  );
  // Several connections may show the same chat.
  const contents = await findContents(sql, [...new Map(keys).values()]);
  for (const connection of group) sendPiece(connection, contents);
}

function sendPiece(connection: Connection, contents: ReadonlyMap<string, MessageRow>): void {
  const { listener, unsent } = connection;
  for (const { id } of pieceOf(connection)) {
    if (listener.isFull()) return;
    unsent.shift();
    const message = contents.get(id);
    if (message) listener.news(message);
  }
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
