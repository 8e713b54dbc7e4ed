import type { Context } from '../context.ts';
import { type AttemptRow, findAttempts } from './log-store.ts';

/** Every attempt to deliver an event to an endpoint, the newest first; none for an event that is not the project's. */
export const listAttempts = (
  { sql }: Context,
  projectId: string,
  eventId: string,
  endpointId: string,
): Promise<AttemptRow[]> => findAttempts(sql, { projectId, eventId, endpointId });
