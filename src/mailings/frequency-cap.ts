/** A project's cap: this many mailings in this many days. */
export type FrequencyCap = { messages: number; days: number };

type Columns = { cap_messages: number | null; cap_days: number | null };

/** The cap in the columns of a project. Null without one. */
export const capOf = ({ cap_messages: messages, cap_days: days }: Columns): FrequencyCap | null =>
  messages === null || days === null ? null : { messages, days };

/** The reason why a mailing does not reach a client. */
export const overCap = 'The client has had as many mailings as the project allows.';

/** The same, of the mailing's topic. */
export const overTopicCap = 'The client has had as many mailings about this topic as the project allows.';

const dayMs = 86_400_000;

/** A message that waited for longer than this before it was sent is not counted: more partitions would be read. */
const longestWaitDays = 31;

/** At most `most` mailings to a client since `since`. `from` is the time of the oldest id that may count. */
export type CapNow = { most: number; since: Date; from: Date };

export function capNow({ messages, days }: FrequencyCap, now: Date): CapNow {
  const since = new Date(now.getTime() - days * dayMs);
  return { most: messages, since, from: new Date(since.getTime() - longestWaitDays * dayMs) };
}

/** The caps that a mailing obeys: the project's, and that of its topic. Null without one. */
export type Caps = { cap: CapNow | null; topicCap: CapNow | null };

export const noCaps: Caps = { cap: null, topicCap: null };

/** The caps at a moment. `topic` is the mailing's. */
export function capsAt(project: Columns, topic: Columns | undefined, moment: Date): Caps {
  const [cap, topicCap] = [capOf(project), topic ? capOf(topic) : null];
  return { cap: cap && capNow(cap, moment), topicCap: topicCap && capNow(topicCap, moment) };
}

/** A message of another mailing to the same client. */
export type Twin = { id: string; state: string };

/**
 * Whether a client may get one more mailing. `over`: the cap is reached. `open`: it may be, by messages whose sending
 * has begun. Each claim looks after it has begun, so of two claims at least one sees the other. Within a claim the
 * lower id goes first.
 */
export function standingOf(
  id: string,
  most: number,
  others: readonly Twin[],
  sameClaim: ReadonlySet<string>,
): 'over' | 'open' | null {
  const sending = others.filter(({ state }) => state === 'IN_PROCESS');
  const before = sending.filter((other) => !sameClaim.has(other.id) || other.id < id);
  const had = others.length - sending.length;
  if (had >= most) return 'over';
  return had + before.length >= most ? 'open' : null;
}
