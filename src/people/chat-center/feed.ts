import type { Member } from '../../access/auth/member.ts';
import type { Context } from '../../platform/context.ts';
import type { EventStream } from '../../platform/http/event-stream.ts';
import { startLooks } from '../../platform/pump/looks.ts';
import { hearTyping } from '../widget/typing.ts';
import { tellBehind, tellFirst } from './feed-catching-up.ts';
import {
  addConnection,
  type Connection,
  endAll,
  endForeign,
  makeRound,
  type Project,
} from './feed-connections.ts';
import { createCounting, tellCounts } from './feed-counts.ts';
import { openProject, tellNews, tellTyping } from './feed-telling.ts';

export type ChatFeed = {
  /**
   * Sends the news of the member's chats since a cursor, or from now on. Returns a function that ends it. Null when
   * the operator has too many connections already.
   */
  connect(member: Member, since: string | null, stream: EventStream): (() => void) | null;
  /** Ends every connection. */
  stop(): void;
};

type Tools = Pick<Context, 'sql' | 'clock' | 'wake' | 'log'>;

/**
 * Sends news to the operators connected to this process. One look serves all of them after each write, with a slow
 * look in addition. Without connections it does nothing.
 */
export function startChatFeed({ sql, clock, wake, log }: Tools): ChatFeed {
  const projects = new Map<string, Project>();
  const looks = startLooks({
    look: () => tellNews({ sql, clock }, projects.values(), onBehind),
    onProblem: (error) => log.warn({ err: error }, 'chat center: could not look for news'),
    onRound: (isBeat) => {
      const connected = [...projects.values()].flatMap(({ connections }) => [...connections]);
      endForeign(sql, connected, clock.now()).catch((error: unknown) =>
        log.warn({ err: error }, 'chat center: could not check the permissions of connections'),
      );
      makeRound(connected, isBeat);
    },
  });
  const forget = wake.subscribe('live', looks.soon);
  const endHearing = hearTyping(wake, ({ project, profile, chat, author }) =>
    tellTyping(projects.get(project)?.connections ?? [], profile, { chat, author }),
  );

  function connect(member: Member, since: string | null, stream: EventStream): (() => void) | null {
    const project = projects.get(member.projectId) ?? newProject({ sql, log }, member.projectId);
    const connection = addConnection(project, member, stream);
    if (!connection) return null;
    projects.set(project.id, project);
    looks.begin();
    endIfFailed(log, connection, begin(project, connection, since));
    return () => disconnect(project, connection);
  }

  async function begin(project: Project, connection: Connection, since: string | null): Promise<void> {
    project.opened ??= openProject(sql, project).then(looks.soon);
    await project.opened;
    await tellFirst(sql, project, connection, since);
    project.counting.soon();
  }

  function onBehind(project: Project, connection: Connection, since: string): void {
    endIfFailed(log, connection, tellBehind(sql, project, connection, since));
  }

  function disconnect(project: Project, connection: Connection): void {
    project.connections.delete(connection);
    if (project.connections.size > 0) return;
    project.counting.end();
    if (projects.get(project.id) === project) projects.delete(project.id);
    if (projects.size === 0) looks.end();
  }

  function stop(): void {
    forget();
    endHearing();
    looks.end();
    for (const project of projects.values()) {
      project.counting.end();
      endAll(project);
    }
    projects.clear();
  }

  return { connect, stop };
}

function endIfFailed(log: Context['log'], { stream }: Connection, telling: Promise<void>): void {
  telling.catch((error: unknown) => {
    log.warn({ err: error }, 'chat center: could not send a connection what it missed');
    stream.end();
  });
}

function newProject({ sql, log }: Pick<Context, 'sql' | 'log'>, id: string): Project {
  const connections = new Set<Connection>();
  const counting = createCounting(
    () =>
      tellCounts(
        sql,
        id,
        [...connections].filter(({ keepsUp }) => keepsUp),
      ),
    (error) => log.warn({ err: error }, 'chat center: could not count chats'),
  );
  return { id, connections, seen: null, opened: null, counting };
}
