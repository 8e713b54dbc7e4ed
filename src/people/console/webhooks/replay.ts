import { replayEvents } from '../../../events/replay-store.ts';
import type { Context } from '../../../platform/context.ts';
import { NotFound } from '../../../platform/problem.ts';
import { countEvents, findIds, type Wanted } from './log-store.ts';
import type { RangePart } from './schema.ts';

/** The number of rows that one statement reads, and of statements for one request. */
const replayed = { among: 500, steps: 20 };
const counted = { among: 5_000, steps: 20 };

/**
 * Sends an event again, with the same id and body, whatever its earlier result. A waiting event is tried at once. It
 * takes its old place among the waiting events of its chat. Throws `NotFound`.
 */
export async function replayEvent(
  { sql, clock, wake }: Context,
  event: { projectId: string; endpointId: string; eventId: string },
): Promise<void> {
  const found = await replayEvents(sql, { ...event, eventIds: [event.eventId] }, clock.now());
  if (found === 0) throw new NotFound('Event not found.');
  wake.wake('webhooks');
}

/**
 * The same for the events of a range, in their order, after the cursor `after`. A request sends as many as it has
 * time for. The caller continues with the new `after`. Replayed events that still wait are not sent twice.
 */
export function replayPart(
  { sql, clock, wake }: Context,
  range: Wanted,
  after: string | null,
): Promise<RangePart> {
  return inSteps(after, replayed.steps, async (from) => {
    const { rows, lookedTo } = await findIds(sql, range, { after: from, among: replayed.among });
    const count = rows.length > 0 ? await replayEvents(sql, { ...range, eventIds: rows }, clock.now()) : 0;
    if (count > 0) wake.wake('webhooks');
    return { count, lookedTo };
  });
}

/** The number of those events, in parts as well. */
export const countPart = ({ sql }: Context, range: Wanted, after: string | null): Promise<RangePart> =>
  inSteps(after, counted.steps, (from) => countEvents(sql, range, { after: from, among: counted.among }));

async function inSteps(
  after: string | null,
  steps: number,
  step: (after: string | null) => Promise<{ count: number; lookedTo: string | null }>,
): Promise<RangePart> {
  const part = { count: 0, after };
  for (let done = 0; done < steps; done += 1) {
    const { count, lookedTo } = await step(part.after);
    part.count += count;
    part.after = lookedTo;
    if (lookedTo === null) break;
  }
  return part;
}
