import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { inOrder } from '../../platform/in-order.ts';
import type { Connection, Project } from './feed-connections.ts';
import { cutNews, mostNews, type Piece, seenBy, tellingOf, textOf } from './feed-news.ts';
import { cursorOf, findNews, isKnownSince, snapshotAt } from './feed-store.ts';
import type { LiveEvents } from './schema.ts';

/** Tells the page whether all news since a cursor follow. Otherwise it reloads everything. */
export function readyText(resumed: boolean, cursor: string): string {
  const ready: LiveEvents['ready'] = { resumed };
  return eventText('ready', ready, cursor);
}

/** Begins the news of a new connection: those since its cursor come first, if they are known and not too many. */
export async function tellFirst(
  sql: Sql,
  project: Project,
  connection: Connection,
  since: string | null,
): Promise<void> {
  const gap = await inTurn(project, connection, async () =>
    findGap(
      sql,
      project.id,
      since !== null && (await isKnownSince(sql, project.id, since)) ? snapshotAt(since) : null,
    ),
  );
  if (!gap) return;
  if (gap.pieces !== null && since !== null) connection.write(readyText(true, since));
  await catchUp(sql, project, connection, gap);
}

/** A reader has not taken what it was sent up to a cursor. What comes meanwhile follows at its own speed. */
export async function tellBehind(
  sql: Sql,
  project: Project,
  connection: Connection,
  since: string,
): Promise<void> {
  connection.keepsUp = false;
  connection.hasMissed = false;
  await connection.stream.drained();
  await catchUp(sql, project, connection, { pieces: [], seen: snapshotAt(since) });
  project.counting.soon();
}

/** Sends the pieces of a gap, each after the reader has taken the one before, and what was missed meanwhile. */
async function catchUp(sql: Sql, project: Project, connection: Connection, first: Gap): Promise<void> {
  for (let gap: Gap | null = first; gap; gap = await nextGap(sql, project, connection, gap)) {
    if (gap.pieces === null) connection.write(readyText(false, cursorOf(gap.seen)));
    for (const { news, upTo } of gap.pieces ?? []) {
      const told = await inTurn(project, connection, () => tellingOf(sql, project.id, news));
      if (!told) return;
      connection.write(textOf(seenBy(connection.profileId, told), upTo));
      await connection.stream.drained();
    }
  }
}

/** What a connection missed while it was sent a gap. Null if nothing: from then on it keeps up. */
async function nextGap(
  sql: Sql,
  project: Project,
  connection: Connection,
  { seen }: Gap,
): Promise<Gap | null> {
  if (!connection.hasMissed) {
    connection.keepsUp = true;
    return null;
  }
  connection.hasMissed = false;
  return inTurn(project, connection, () => findGap(sql, project.id, seen));
}

/** The connections of a project read what they missed one after another. */
const reads = inOrder();

/** Reads when it is the connection's turn. Null if it has ended meanwhile. */
function inTurn<T>(project: Project, connection: Connection, read: () => Promise<T>): Promise<T | null> {
  return reads(project.id, async () => (project.connections.has(connection) ? read() : null));
}

/** News that a connection has not been sent. `pieces` is null if the page must reload instead. */
type Gap = { pieces: Piece[] | null; seen: string };

async function findGap(sql: Sql, projectId: string, since: string | null): Promise<Gap> {
  const watches = since === null ? [] : [{ project_id: projectId, since }];
  // The news of three hours may be millions.
  const { news, snapshot: seen } = await findNews(sql, watches, mostNews + 1);
  return { pieces: since === null ? null : await cutNews(sql, projectId, news, cursorOf(seen)), seen };
}
