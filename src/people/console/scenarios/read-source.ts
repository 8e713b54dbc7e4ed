import type { Context } from '../../../platform/context.ts';
import { HttpProblem } from '../../../platform/http/errors.ts';
import { parseJson } from '../../../platform/http/json.ts';
import { invalid } from '../../../platform/problem.ts';
import { checkAddresses } from '../../../scenarios/addresses.ts';
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

/** A text as a version to be stored by this person. Throws `Invalid`. */
export async function versionOf(
  context: Pick<Context, 'clock' | 'outbound' | 'config'>,
  source: string,
  savedBy: string,
): Promise<NewVersion> {
  const definition = readSource(source);
  await checkAddresses(context, definition);
  return {
    name: definition.name,
    definition: JSON.parse(JSON.stringify(definition)),
    source,
    savedBy,
    savedAt: context.clock.now(),
  };
}
