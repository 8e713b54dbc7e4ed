import type { Context } from '../context.ts';
import { parseJson } from '../http/json.ts';
import { parseScenario } from './parse.ts';
import { type ScenarioRow, saveScenario } from './store.ts';

/**
 * Adds the scenario of a JSON file to the project, or a version of the one of that name, which keeps its id: runs that
 * are under way stay on the version that they began with. Throws `Invalid` and `HttpProblem`.
 */
export async function importScenario(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, file }: { projectId: string; file: Buffer },
): Promise<ScenarioRow & { version: number }> {
  const definition = parseScenario(parseJson(file));
  return saveScenario(sql, {
    projectId,
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)),
    createdAt: clock.now(),
  });
}
