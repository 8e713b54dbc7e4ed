import type { Member } from '../../access/auth/member.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { EventStream } from '../../platform/http/event-stream.ts';
import type { Counted, Counting } from './feed-counts.ts';
import { findWelcome } from './feed-store.ts';

export type Connection = Counted & {
  stream: EventStream;
  member: Member;
  begunAt: number;
  /** What comes before its beginning is told. */
  held: string[] | null;
};

export type Project = {
  id: string;
  connections: Set<Connection>;
  /** The place up to which its news are told; null until it was looked at once. */
  since: string | null;
  opened: Promise<void> | null;
  /** What is told already though it lies behind that place. */
  told: ReadonlySet<number>;
  counting: Counting;
};

/** Then the page comes back. */
const longestMs = 10 * 60_000;
const mostOfOperator = 20;

/** A connection of the member in the project; null when the operator has too many already. */
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
    held: [],
    write: (text) => void (connection.held ? connection.held.push(text) : text !== '' && stream.write(text)),
  };
  project.connections.add(connection);
  return connection;
}

/** Their pages come back at once, and ask for everything anew. */
export function endAll({ connections }: Project): void {
  for (const { stream } of connections) stream.end();
}

/** Ends a connection that lasts too long, and gives the others a sign of life when it is due. */
export function makeRound(connections: Iterable<Connection>, isBeat: boolean): void {
  const now = performance.now();
  for (const { stream, begunAt } of connections) {
    if (now - begunAt > longestMs) stream.end();
    else if (isBeat) stream.heartbeat();
  }
}

/** Whoever has left the project, or whose frame has ended, hears nothing more. */
export async function endForeign(sql: Sql, connected: readonly Connection[], now: Date): Promise<void> {
  const welcome = await findWelcome(
    sql,
    connected.map(({ member }) => member),
    now,
  );
  for (const [place, { stream }] of connected.entries()) if (!welcome.has(place)) stream.end();
}
