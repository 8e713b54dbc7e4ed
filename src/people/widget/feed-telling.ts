import type { Sql } from '../../platform/database/database.ts';
import type { Connection } from './feed-connections.ts';
import { type ChatAddress, findAddress, findNews, type News } from './store.ts';
import type { Typing } from './typing.ts';

/**
 * Times and ids are made before the row is written, on several machines. For this long a message may appear behind
 * known ones. A worker without its database keeps a result for up to 20 s.
 */
const lateByMs = 30_000;

const lateness = (moment: Date): Date => new Date(moment.getTime() - lateByMs);

/** Sends each listener the visible messages of its chat since its last look. */
export async function tellNews(sql: Sql, watched: readonly Connection[], now: Date): Promise<void> {
  const news = Map.groupBy(
    await findNews(sql, watched.map(toWatch), lateness(now)),
    ({ position }) => position,
  );
  for (const [position, connection] of watched.entries()) tell(connection, news.get(position) ?? [], now);
}

const toWatch = ({ chat, since, oldestWaiting }: Connection, position: number) => ({
  position,
  project_id: chat.projectId,
  channel_id: chat.channelId,
  address: chat.address,
  since: lateness(since),
  oldest_waiting: oldestWaiting,
});

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
