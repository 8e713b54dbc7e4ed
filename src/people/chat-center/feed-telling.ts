import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { readyText } from './feed-catching-up.ts';
import { type Connection, endAll, endForeign, type Project } from './feed-connections.ts';
import { cutNews, mostNews, seenBy, tellingOf, textOf } from './feed-news.ts';
import { cursorOf, findNews, type NewsRow } from './feed-store.ts';
import type { LiveEvents } from './schema.ts';

/** A connection's reader has not taken all it was sent, up to the cursor `since`. */
export type OnBehind = (project: Project, connection: Connection, since: string) => void;

/** Finds the cursor from which a project's news are sent. */
export async function openProject(sql: Sql, project: Project): Promise<void> {
  try {
    project.seen = (await findNews(sql, [])).snapshot;
  } catch (error) {
    project.opened = null;
    throw error;
  }
}

/** Sends all operators the news of their projects since the last look, unless they may not hear them any more. */
export async function tellNews(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  projects: Iterable<Project>,
  onBehind: OnBehind,
): Promise<void> {
  const watched = [...projects].flatMap((project) =>
    project.seen === null ? [] : [{ project, seen: project.seen }],
  );
  if (watched.length === 0) return;
  // Where there are more, pages reload.
  const { news, snapshot } = await findNews(
    sql,
    watched.map(({ project, seen }) => ({ project_id: project.id, since: seen })),
    mostNews + 1,
  );
  const upTo = cursorOf(snapshot);
  const byProject = Map.groupBy(news, ({ project_id }) => project_id);
  for (const { project, seen } of watched) {
    // A standby was promoted that had not replicated everything, and its numbering continues from an earlier number.
    if (BigInt(upTo) < BigInt(cursorOf(seen))) endAll(project);
    const fresh = byProject.get(project.id) ?? [];
    if (fresh.length > 0) await endForeign(sql, [...project.connections], clock.now());
    for await (const part of partsOf(sql, project, fresh, upTo)) send(project, part, onBehind);
    if (fresh.length > 0) project.counting.soon();
    project.seen = snapshot;
  }
}

/** A part of the news, as each connection gets it. `upTo` is the cursor after it. */
type Part = { textFor(profileId: string | null): string; upTo: string };

/** The news in parts, each read after the one before was sent. */
async function* partsOf(
  sql: Sql,
  project: Project,
  fresh: readonly NewsRow[],
  latest: string,
): AsyncGenerator<Part> {
  const pieces = await cutNews(sql, project.id, fresh, latest);
  if (pieces === null) yield { textFor: () => readyText(false, latest), upTo: latest };
  for (const { news, upTo } of pieces ?? []) {
    const told = await tellingOf(sql, project.id, news);
    const everything = textOf(told, upTo);
    const textFor = (profileId: string | null) =>
      profileId === null ? everything : textOf(seenBy(profileId, told), upTo);
    yield { textFor, upTo };
  }
}

function send(project: Project, { textFor, upTo }: Part, onBehind: OnBehind): void {
  for (const connection of project.connections) {
    if (connection.keepsUp) {
      connection.write(textFor(connection.profileId));
      if (connection.stream.isFull()) onBehind(project, connection, upTo);
    } else connection.hasMissed = true;
  }
}

/** Notifies the other operators who see the client that an operator is typing. */
export function tellTyping(
  connections: Iterable<Connection>,
  clientId: string,
  told: LiveEvents['typing'],
): void {
  const text = eventText('typing', told);
  for (const { operatorId, profileId, keepsUp, write } of connections) {
    const maySee = keepsUp && (profileId === null || profileId === clientId);
    if (maySee && operatorId !== told.author.uuid) write(text);
  }
}
