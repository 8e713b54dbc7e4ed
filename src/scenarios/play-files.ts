import { parseJson } from '../platform/http/json.ts';
import { Refused } from '../platform/problem.ts';
import { parseScenario } from './parse.ts';
import { type Play, play } from './play.ts';
import { parseScript } from './script.ts';

/** Plays the first of the scenarios by the script. Throws `Invalid`, `HttpProblem` and `Refused`. */
export function playFiles(scenarios: readonly Buffer[], script: Buffer): Play {
  const [first, ...others] = scenarios.map((file) => parseScenario(parseJson(file)));
  if (!first) throw new Refused('There is no scenario to play.');
  return play([first, ...others], parseScript(parseJson(script)));
}
