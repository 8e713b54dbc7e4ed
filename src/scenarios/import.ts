import type { Context } from '../platform/context.ts';
import { parseJson } from '../platform/http/json.ts';
import { type Names, namesIn } from './names.ts';
import { parseScenario } from './parse.ts';
import { missingOf, type ScenarioRow, saveScenario } from './store.ts';

/**
 * `missing`: the objects that the scenario names and the project lacks. They may be made later, before a client gets
 * there.
 */
export type Imported = ScenarioRow & { version: number; missing: Names };

/**
 * Adds the scenario of a JSON file to the project, or a version of the scenario with that name. That scenario keeps
 * its id, and its current runs stay on their version. Throws `Invalid` and `HttpProblem`.
 */
export async function importScenario(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, file }: { projectId: string; file: Buffer },
): Promise<Imported> {
  const definition = parseScenario(parseJson(file));
  const saved = await saveScenario(sql, {
    projectId,
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)),
    source: new TextDecoder().decode(file),
    createdAt: clock.now(),
  });
  return { ...saved, missing: await missingOf(sql, projectId, namesIn(definition)) };
}
