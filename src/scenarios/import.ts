import type { Context } from '../platform/context.ts';
import { parseJson } from '../platform/http/json.ts';
import { checkAddresses } from './addresses.ts';
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
  context: Pick<Context, 'sql' | 'clock' | 'outbound' | 'config'>,
  { projectId, file }: { projectId: string; file: Buffer },
): Promise<Imported> {
  const { sql, clock } = context;
  const definition = parseScenario(parseJson(file));
  await checkAddresses(context, definition);
  const saved = await saveScenario(sql, {
    projectId,
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)),
    source: new TextDecoder().decode(file),
    createdAt: clock.now(),
  });
  return { ...saved, missing: await missingOf(sql, projectId, namesIn(definition)) };
}
