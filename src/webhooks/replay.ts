import type { Context } from '../context.ts';
import { NotFound } from '../lib/problem.ts';
import { eventsBetween, replayEvents } from './log-store.ts';

const atOnce = 1_000;

/**
 * Sends an event once more, under the same id and with the same body, whatever became of it before; one that is
 * still waiting is tried at once. It takes its old place among what waits in its chat. Throws `NotFound`.
 */
export async function replayEvent(
  { sql, clock, wake }: Context,
  projectId: string,
  eventId: string,
  endpointId: string,
): Promise<void> {
  const replayed = await replayEvents(sql, { projectId, endpointId, eventIds: [eventId] }, clock.now());
  if (replayed === 0) throw new NotFound('Event not found.');
  wake.wake('webhooks');
}

/** The same for everything that happened from one moment until another; returns how many events that are. */
export async function replayRange(
  { sql, clock, wake }: Context,
  projectId: string,
  endpointId: string,
  from: Date,
  to: Date,
): Promise<number> {
  let replayed = 0;
  let after: string | null = null;
  for (;;) {
    const eventIds: string[] = await eventsBetween(sql, {
      projectId,
      endpointId,
      from,
      to,
      after,
      atMost: atOnce,
    });
    const last = eventIds.at(-1);
    if (last === undefined) return replayed;
    replayed += await replayEvents(sql, { projectId, endpointId, eventIds }, clock.now());
    wake.wake('webhooks');
    after = last;
  }
}
