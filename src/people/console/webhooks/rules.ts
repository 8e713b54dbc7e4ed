import { momentOf } from '../../../platform/moment.ts';
import { invalid } from '../../../platform/problem.ts';
import type { Wanted } from './log-store.ts';
import type { EventFilters, EventRange } from './schema.ts';

/** Before the first possible event, and after the last. */
const always = { from: new Date(0), to: new Date('9999-12-31T00:00:00Z') };

type Endpoint = { projectId: string; endpointId: string };

/** Throws `Invalid` on `to` for a span that ends before it begins. */
export function wantedOf(endpoint: Endpoint, filters: EventFilters | EventRange): Wanted {
  const { event_type: type = null, state = null } = filters;
  const from = boundOf(filters.from) ?? always.from;
  const to = boundOf(filters.to) ?? always.to;
  if (to <= from) throw invalid('to', 'The end must be after the beginning.');
  return { ...endpoint, from, to, type, state };
}

const boundOf = (text: string | undefined): Date | null =>
  text === undefined ? null : new Date(Math.max(0, momentOf(text).getTime()));
