import type { Context } from '../platform/context.ts';
import { Refused } from '../platform/problem.ts';
import { deleteStarter, listStarters, type Starter, saveStarter } from './starters-store.ts';
import { findScenarioByName } from './store.ts';

/** A message without surrounding spaces and in lower case: the form in which keywords are stored and compared. */
export const asKeyword = (text: string): string => text.trim().toLowerCase();

/** The keyword of a start by a link with this parameter, which some messengers send as a text of this form. */
export const startKeyword = (ref: string): string => asKeyword(`/start ${ref}`);

const maxKeyword = 255;

/** Reads a person's input: the scenario of the welcome, and `word=scenario` for each keyword. Throws `Refused`. */
export function readStarters(welcome: string | undefined, keywords: readonly string[]): Starter[] {
  const read = keywords.map((text) => {
    const at = text.indexOf('=');
    if (asKeyword(text.slice(0, Math.max(at, 0))) === '')
      throw new Refused(`"${text}" is not of the form word=scenario.`);
    return { keyword: text.slice(0, at), scenario: text.slice(at + 1).trim() };
  });
  return welcome === undefined ? read : [{ keyword: '', scenario: welcome.trim() }, ...read];
}

/**
 * Sets the scenarios that clients start, and returns all of them. A starter without a scenario is removed. Throws
 * `Refused`.
 */
export async function setStarters(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  starters: readonly Starter[],
): Promise<Starter[]> {
  const known = await Promise.all(
    starters.map(async ({ keyword, scenario }) => {
      if (keyword.length > maxKeyword) throw new Refused(`A keyword has at most ${maxKeyword} characters.`);
      if (scenario === '') return { keyword, id: null };
      const found = await findScenarioByName(sql, projectId, scenario);
      if (!found)
        throw new Refused(`There is no scenario "${scenario}". Add it with: patchbay scenario import <file>`);
      return { keyword, id: found.id };
    }),
  );
  for (const { keyword, id } of known) {
    if (id === null) await deleteStarter(sql, projectId, asKeyword(keyword));
    else await saveStarter(sql, projectId, asKeyword(keyword), id);
  }
  return listStarters(sql, projectId);
}
