import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { type Connection, endAll, type Project } from './feed-connections.ts';
import { seenBy, tellingOf, textOf } from './feed-news.ts';
import { findNews, isKnownSince, type NewsRow } from './feed-store.ts';
import type { LiveEvents } from './schema.ts';

/** After a larger gap, a reload is faster. */
const mostMissed = 500;

/** Finds the cursor from which a project's news are sent. */
export async function openProject(sql: Sql, project: Project): Promise<void> {
  try {
    project.since = (await findNews(sql, [])).upTo;
  } catch (error) {
    project.opened = null;
    throw error;
  }
}

/** Sends all operators the news of their projects since the last look. */
export async function tellNews(sql: Sql, projects: Iterable<Project>): Promise<void> {
  const watched = [...projects].flatMap((project) =>
    project.since === null ? [] : [{ project, project_id: project.id, since: project.since }],
  );
  if (watched.length === 0) return;
  const { news, upTo, unsettled } = await findNews(
    sql,
    watched.map(({ project_id, since }) => ({ project_id, since })),
  );
  const byProject = Map.groupBy(news, ({ project_id }) => project_id);
  for (const { project, since } of watched) {
    // A standby was promoted that had not replicated everything, and its numbering continues from an earlier number.
    if (BigInt(upTo) < BigInt(since)) endAll(project);
    const fresh = (byProject.get(project.id) ?? []).filter(({ id }) => !project.told.has(id));
    await tell(sql, project, fresh, upTo);
    project.since = upTo;
    project.told = new Set(unsettled);
  }
}

async function tell(sql: Sql, project: Project, fresh: readonly NewsRow[], upTo: string): Promise<void> {
  if (fresh.length === 0) return;
  const told = await tellingOf(sql, project.id, fresh);
  const everything = textOf(told, upTo);
  for (const { profileId, write } of project.connections) {
    write(profileId === null ? everything : textOf(seenBy(profileId, told), upTo));
  }
  project.counting.soon();
}

/** A separate look sends the news from before the connection. The shared looks wait meanwhile. */
export async function tellFirst(
  sql: Sql,
  projectId: string,
  connection: Connection,
  since: string | null,
): Promise<void> {
  const resumes = since !== null && (await isKnownSince(sql, projectId, since));
  // The news of three hours may be millions.
  const missing = resumes ? [{ project_id: projectId, since }] : [];
  const { news, upTo } = await findNews(sql, missing, mostMissed + 1);
  const resumed = resumes && news.length <= mostMissed;
  const missed = resumed ? await tellingOf(sql, projectId, news) : [];
  const ready: LiveEvents['ready'] = { resumed };
  connection.stream.write(eventText('ready', ready, resumed ? since : upTo));
  const first = [textOf(seenBy(connection.profileId, missed), upTo), ...(connection.held ?? [])];
  connection.held = null;
  for (const text of first) connection.write(text);
}

/** Notifies the other operators who see the client that an operator is typing. */
export function tellTyping(
  connections: Iterable<Connection>,
  clientId: string,
  told: LiveEvents['typing'],
): void {
  const text = eventText('typing', told);
  for (const { operatorId, profileId, write } of connections) {
    const maySee = profileId === null || profileId === clientId;
    if (maySee && operatorId !== told.author.uuid) write(text);
  }
}
