import type { Member } from '../../access/auth/member.ts';
import type { Context } from '../../platform/context.ts';
import type { EventStream } from '../../platform/http/event-stream.ts';
import { startLooks } from '../../platform/pump/looks.ts';
import {
  addConnection,
  type Connection,
  endAll,
  endForeign,
  makeRound,
  type Project,
} from './feed-connections.ts';
import { createCounting, tellCounts } from './feed-counts.ts';
import { openProject, tellFirst, tellNews, tellTyping } from './feed-telling.ts';
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

type Tools = Pick<Context, 'sql' | 'clock' | 'wake' | 'log'>;

/**
 * Carries what happens in chats to the operators who are connected to this process: one look for all of them whenever
 * something was written, and a slow one behind that. With nobody connected it does nothing at all.
 */
export function startChatFeed({ sql, clock, wake, log }: Tools): ChatFeed {
  const projects = new Map<string, Project>();
  const looks = startLooks({
    look: () => tellNews(sql, projects.values()),
    onProblem: (error) => log.warn({ err: error }, 'chat center: could not look for news'),
    onRound: (isBeat) => {
      const connected = [...projects.values()].flatMap(({ connections }) => [...connections]);
      endForeign(sql, connected, clock.now()).catch((error: unknown) =>
        log.warn({ err: error }, 'chat center: could not look who may stay'),
      );
      makeRound(connected, isBeat);
    },
  });
  const forget = wake.subscribe('live', looks.soon);

  function connect(member: Member, since: string | null, stream: EventStream): (() => void) | null {
    const project = projects.get(member.projectId) ?? newProject({ sql, log }, member.projectId);
    const connection = addConnection(project, member, stream);
    if (!connection) return null;
    projects.set(project.id, project);
    looks.begin();
    begin(project, connection, since).catch((error: unknown) => {
      log.warn({ err: error }, 'chat center: could not begin to tell');
      stream.end();
    });
    return () => disconnect(project, connection);
  }

  async function begin(project: Project, connection: Connection, since: string | null): Promise<void> {
    project.opened ??= openProject(sql, project).then(looks.soon);
    await project.opened;
    await tellFirst(sql, project.id, connection, since);
    project.counting.soon();
  }

  function disconnect(project: Project, connection: Connection): void {
    project.connections.delete(connection);
    if (project.connections.size > 0) return;
    project.counting.end();
    if (projects.get(project.id) === project) projects.delete(project.id);
    if (projects.size === 0) looks.end();
  }

  const typing: ChatFeed['typing'] = ({ project_id, profile_id }, told) =>
    tellTyping(projects.get(project_id)?.connections ?? [], profile_id, told);

  function stop(): void {
    forget();
    looks.end();
    for (const project of projects.values()) {
      project.counting.end();
      endAll(project);
    }
    projects.clear();
  }

  return { connect, typing, stop };
}

function newProject({ sql, log }: Pick<Context, 'sql' | 'log'>, id: string): Project {
  const connections = new Set<Connection>();
  const counting = createCounting(
    () => tellCounts(sql, id, [...connections]),
    (error) => log.warn({ err: error }, 'chat center: could not count chats'),
  );
  return { id, connections, since: null, opened: null, told: new Set(), counting };
}
