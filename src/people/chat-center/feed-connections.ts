import type { Member } from '../../access/auth/member.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { EventStream } from '../../platform/http/event-stream.ts';
import type { Counted, Counting } from './feed-counts.ts';
import { findWelcome } from './feed-store.ts';

export type Connection = Counted & {
  stream: EventStream;
  member: Member;
  begunAt: number;
  /** Whether the shared looks send it their news. Otherwise it reads what it missed, at its own speed. */
  keepsUp: boolean;
  /** There were news that it was not sent. */
  hasMissed: boolean;
};

export type Project = {
  id: string;
  connections: Set<Connection>;
  /** The snapshot of the last look, whose news were sent. Null before the first look. */
  seen: string | null;
  opened: Promise<void> | null;
  counting: Counting;
};

/** The page then reconnects. */
const longestMs = 10 * 60_000;
const mostOfOperator = 20;

/** A connection of the member in the project. Null when the operator has too many already. */
export function addConnection(project: Project, member: Member, stream: EventStream): Connection | null {
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
    keepsUp: false,
    hasMissed: false,
    write: (text) => void (text !== '' && stream.write(text)),
  };
  project.connections.add(connection);
  return connection;
}

/** Their pages reconnect at once, and reload everything. */
export function endAll({ connections }: Project): void {
  for (const { stream } of connections) stream.end();
}

/** Ends a connection that has lasted too long, and sends the others a heartbeat when it is due. */
export function makeRound(connections: Iterable<Connection>, isBeat: boolean): void {
  const now = performance.now();
  for (const { stream, begunAt } of connections) {
    if (now - begunAt > longestMs) stream.end();
    else if (isBeat) stream.heartbeat();
  }
}

/** Ends the connections of members who have left the project, and of ended frames. */
export async function endForeign(sql: Sql, connected: readonly Connection[], now: Date): Promise<void> {
  const welcome = await findWelcome(
    sql,
    connected.map(({ member }) => member),
    now,
  );
  for (const [place, { stream }] of connected.entries()) if (!welcome.has(place)) stream.end();
}
