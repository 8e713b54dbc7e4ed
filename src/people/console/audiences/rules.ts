import { scenariosOf, startedBy } from '../../../clients/audiences/store.ts';
import { parseFilter } from '../../../clients/filters/parse.ts';
import { mostJson } from '../../../mailings/schema.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { isTooLarge } from '../../../platform/http/fields.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import type { AudienceWrite } from './schema.ts';

/** A scenario names an audience by its name, and would match nobody under another one. */
export async function refuseInScenarios(sql: Sql, projectId: string, name: string): Promise<void> {
  const scenarios = await scenariosOf(sql, projectId, name);
  if (scenarios.length === 0) return;
  const named = scenarios.slice(0, 5).map((scenario) => `"${scenario}"`);
  throw new Refused(`A scenario uses this audience by its name: ${named.join(', ')}.`);
}

export async function refuseAsStart(sql: Sql, projectId: string, id: string): Promise<void> {
  const [scenario] = await startedBy(sql, projectId, id);
  if (scenario !== undefined) throw new Refused(`The scenario "${scenario}" starts with this audience.`);
}

/** Throws `Invalid` for a filter that no mailing could have. */
export function checkAudience({ filter_chats }: AudienceWrite): void {
  const most = mostJson.filter_chats;
  if (isTooLarge(filter_chats, most)) throw invalid('filter_chats', messages.maxLength(most));
  parseFilter(filter_chats);
}
