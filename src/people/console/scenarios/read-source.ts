import { HttpProblem } from '../../../platform/http/errors.ts';
import { parseJson } from '../../../platform/http/json.ts';
import { invalid } from '../../../platform/problem.ts';
import { parseScenario } from '../../../scenarios/parse.ts';
import type { Scenario } from '../../../scenarios/schema.ts';
import type { NewVersion } from '../../../scenarios/versions-store.ts';

/** The JSON of an edited text. Throws `Invalid`. */
export function jsonOf(source: string): unknown {
  try {
    return parseJson(Buffer.from(source));
  } catch (error) {
    if (error instanceof HttpProblem) throw invalid('source', 'The text is not valid JSON.');
    throw error;
  }
}

/** The scenario in a text. Throws `Invalid`. */
export const readSource = (source: string): Scenario => parseScenario(jsonOf(source));

/** A text as a version to be stored. Throws as `readSource` does. */
export function versionOf(source: string, savedBy: string, savedAt: Date): NewVersion {
  const definition = readSource(source);
  return {
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)),
    source,
    savedBy,
    savedAt,
  };
}
