import Type from 'typebox';
import type { Context } from '../context.ts';
import { Text } from '../http/fields.ts';
import { parseJson } from '../http/json.ts';
import { reader } from '../http/validation.ts';
import { type Scenario, saveScenario } from './store.ts';

/** A scenario's file is one JSON object with its name. The rest of it is the engine's. */
const readScenario = reader(Type.Object({ name: Text(255) }));

/**
 * Adds the scenario of a JSON file to the project, or replaces the one of that name, which keeps its id.
 * The whole document is kept as it is. Throws `Invalid` and `HttpProblem`.
 */
export async function importScenario(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, file }: { projectId: string; file: Buffer },
): Promise<Scenario> {
  const definition = readScenario(parseJson(file));
  return saveScenario(sql, { projectId, name: definition.name, definition, createdAt: clock.now() });
}
