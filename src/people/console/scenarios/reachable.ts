import type { Context } from '../../../platform/context.ts';
import { namesIn } from '../../../scenarios/names.ts';
import { parseScenario } from '../../../scenarios/parse.ts';
import type { Scenario } from '../../../scenarios/schema.ts';
import { findDefinitions } from './versions-store.ts';

const longestWay = 10;
/** They are read and checked for every play. */
const mostReached = 50;

/** The project's scenarios that this one refers to, directly or through others, each by the name that is used. */
export async function reachableFrom(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  scenario: Scenario,
): Promise<Scenario[]> {
  const known = new Map([[scenario.name, scenario]]);
  let newest = [scenario];
  for (let step = 0; step < longestWay && newest.length > 0; step += 1) {
    const names = newest.flatMap((one) => namesIn(one).scenarios).filter((name) => !known.has(name));
    const wanted = [...new Set(names)].slice(0, mostReached - known.size + 1);
    const found = wanted.length > 0 ? await findDefinitions(sql, projectId, wanted) : [];
    newest = found.map(({ name, definition }) => ({ ...parseScenario(definition), name }));
    for (const one of newest) known.set(one.name, one);
  }
  known.delete(scenario.name);
  return [...known.values()];
}
