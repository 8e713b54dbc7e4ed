import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import type { Filter } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { audienceNamedBy, unknownAudience } from './rules.ts';
import { findAudienceNamed, type WireFilter } from './store.ts';

/** A filter as it was given, and as it is read. `audienceId` is the saved audience that it was read from. */
export type Chosen = { audienceId: string | null; given: WireFilter; filter: Filter };

/** Reads a filter, or the filter of the audience that is named instead. Throws `Invalid`. */
export async function chooseFilter(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  given: WireFilter,
  field = 'filter_chats',
): Promise<Chosen> {
  const name = audienceNamedBy(given);
  if (name === null) return { audienceId: null, given, filter: parseFilter(given, field) };
  const audience = await findAudienceNamed(sql, projectId, name);
  if (!audience) throw invalid(field, unknownAudience(name));
  const { id, filter } = audience;
  return { audienceId: id, given: filter, filter: parseFilter(filter, field) };
}
