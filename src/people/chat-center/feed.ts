import type { Member } from '../../access/auth/member.ts';
import type { Context } from '../../platform/context.ts';
import { type EventStream, eventText } from '../../platform/http/event-stream.ts';
import { startLooks } from '../../platform/pump/looks.ts';
import { type Counted, tellCounts } from './feed-counts.ts';
import { seenBy, tellingOf, textOf } from './feed-news.ts';
import { findNews, findWelcome, isKnownSince, type NewsRow } from './feed-store.ts';
import type { LiveEvents } from './schema.ts';

export type ChatFeed = {
  /**
   * Tells of everything in the member's chats since a place that they were told, or from now on. Gives what ends it; null
   * when the operator has too many connections already.
   */
  connect(member: Member, since: string | null, stream: EventStream): (() => void) | null;
  /** Tells the others who look at the chat's project that somebody writes in it. */
  typing(chat: { project_id: string; profile_id: string }, told: LiveEvents['typing']): void;
  /** Ends every connection. */
  stop(): void;
};

type Connection = Counted & {
  stream: EventStream;
  member: Member;
  begunAt: number;
  /** What comes before its beginning is told. */
  held: string[] | null;
};

type Tools = Pick<Context, 'sql' | 'clock' | 'wake' | 'log'>;

type Project = {
  id: string;
  connections: Set<Connection>;
  /** The place up to which its news are told; null until it was looked at once. */
  since: string | null;
  opened: Promise<void> | null;
  /** What is told already though it lies behind that place. */
  told: ReadonlySet<number>;
  countsAt: number;
  counting: NodeJS.Timeout | null;
};

const fastestCountMs = 1_000;
/** Then the page comes back. */
const longestMs = 10 * 60_000;
const mostOfOperator = 20;
/** Whoever has missed more is quicker to ask for everything anew. */
const mostMissed = 500;

/**
 * Carries what happens in chats to the operators who are connected to this process: one look for all of them whenever
 * something was written, and a slow one behind that. With nobody connected it does nothing at all.
 */
export function startChatFeed({ sql, clock, wake, log }: Tools): ChatFeed {
  const projects = new Map<string, Project>();
  const looks = startLooks({
    look: tellNews,
    onProblem: (error) => log.warn({ err: error }, 'chat center: could not look for news'),
    onRound: makeRound,
  });
  const forget = wake.subscribe('live', looks.soon);

  async function tellNews(): Promise<void> {
    const watched = [...projects.values()].flatMap((project) =>
      project.since === null ? [] : [{ project, project_id: project.id, since: project.since }],
    );
    if (watched.length === 0) return;
    const { news, upTo, unsettled } = await findNews(
      sql,
      watched.map(({ project_id, since }) => ({ project_id, since })),
    );
    const byProject = Map.groupBy(news, ({ project_id }) => project_id);
    for (const { project, since } of watched) {
      // A standby was promoted that had not got everything, and numbers what happens from further back.
      if (BigInt(upTo) < BigInt(since)) endAll(project);
      const fresh = (byProject.get(project.id) ?? []).filter(({ id }) => !project.told.has(id));
      await tell(project, fresh, upTo);
      project.since = upTo;
      project.told = new Set(unsettled);
    }
  }

  /** Their pages come back at once, and ask for everything anew. */
  function endAll({ connections }: Project): void {
    for (const { stream } of connections) stream.end();
  }

  async function tell(project: Project, fresh: readonly NewsRow[], upTo: string): Promise<void> {
    if (fresh.length === 0) return;
    const told = await tellingOf(sql, project.id, fresh);
    const everything = textOf(told, upTo);
    for (const { profileId, write } of project.connections) {
      write(profileId === null ? everything : textOf(seenBy(profileId, told), upTo));
    }
    countSoon(project);
  }

  function countSoon(project: Project): void {
    const rest = Math.max(0, fastestCountMs - (performance.now() - project.countsAt));
    project.counting ??= setTimeout(count, rest, project);
  }

  async function count(project: Project): Promise<void> {
    project.countsAt = performance.now();
    project.counting = null;
    try {
      await tellCounts(sql, project.id, [...project.connections]);
    } catch (error) {
      log.warn({ err: error }, 'chat center: could not count chats');
    }
  }

  function makeRound(isBeat: boolean): void {
    endForeign().catch((error: unknown) =>
      log.warn({ err: error }, 'chat center: could not look who may stay'),
    );
    const now = performance.now();
    for (const { connections } of projects.values()) {
      for (const { stream, begunAt } of connections) {
        if (now - begunAt > longestMs) stream.end();
        else if (isBeat) stream.heartbeat();
      }
    }
  }

  /** Whoever has left the project, or whose frame has ended, hears nothing more. */
  async function endForeign(): Promise<void> {
    const connected = [...projects.values()].flatMap(({ connections }) => [...connections]);
    const welcome = await findWelcome(
      sql,
      connected.map(({ member }) => member),
      clock.now(),
    );
    for (const [place, { stream }] of connected.entries()) if (!welcome.has(place)) stream.end();
  }

  function connect(member: Member, since: string | null, stream: EventStream): (() => void) | null {
    const project = projects.get(member.projectId) ?? newProject(member.projectId);
    const { operatorId, profileId } = member;
    const own = [...project.connections].filter((other) => other.operatorId === operatorId);
    if (own.length >= mostOfOperator) return null;
    const connection: Connection = {
      operatorId,
      profileId,
      stream,
      member,
      counts: '',
      begunAt: performance.now(),
      held: [],
      write: (text) =>
        void (connection.held ? connection.held.push(text) : text !== '' && stream.write(text)),
    };
    projects.set(project.id, project);
    project.connections.add(connection);
    looks.begin();
    begin(project, connection, since).catch((error: unknown) => {
      log.warn({ err: error }, 'chat center: could not begin to tell');
      stream.end();
    });
    return () => disconnect(project, connection);
  }

  /** What happened before the connection is told by a look of its own; meanwhile the looks for all are held back. */
  async function begin(project: Project, connection: Connection, since: string | null): Promise<void> {
    project.opened ??= open(project);
    await project.opened;
    const resumes = since !== null && (await isKnownSince(sql, project.id, since));
    const { news, upTo } = await findNews(sql, resumes ? [{ project_id: project.id, since }] : []);
    const resumed = resumes && news.length <= mostMissed;
    const missed = resumed ? await tellingOf(sql, project.id, news) : [];
    const ready: LiveEvents['ready'] = { resumed };
    connection.stream.write(eventText('ready', ready, resumed ? since : upTo));
    const first = [textOf(seenBy(connection.profileId, missed), upTo), ...(connection.held ?? [])];
    connection.held = null;
    for (const text of first) connection.write(text);
    countSoon(project);
  }

  async function open(project: Project): Promise<void> {
    try {
      project.since = (await findNews(sql, [])).upTo;
      looks.soon();
    } catch (error) {
      project.opened = null;
      throw error;
    }
  }

  function disconnect(project: Project, connection: Connection): void {
    project.connections.delete(connection);
    if (project.connections.size > 0) return;
    if (project.counting) clearTimeout(project.counting);
    if (projects.get(project.id) === project) projects.delete(project.id);
    if (projects.size === 0) looks.end();
  }

  function typing(
    { project_id, profile_id }: { project_id: string; profile_id: string },
    told: LiveEvents['typing'],
  ): void {
    const text = eventText('typing', told);
    for (const { operatorId, profileId, write } of projects.get(project_id)?.connections ?? []) {
      const maySee = profileId === null || profileId === profile_id;
      if (maySee && operatorId !== told.author.uuid) write(text);
    }
  }

  function stop(): void {
    forget();
    looks.end();
    for (const project of projects.values()) {
      if (project.counting) clearTimeout(project.counting);
      endAll(project);
    }
    projects.clear();
  }

  return { connect, typing, stop };
}

const newProject = (id: string): Project => ({
  id,
  connections: new Set(),
  since: null,
  opened: null,
  told: new Set(),
  countsAt: Number.NEGATIVE_INFINITY,
  counting: null,
});
