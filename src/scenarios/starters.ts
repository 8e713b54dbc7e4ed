import type { Context } from '../platform/context.ts';
import { invalid, Refused } from '../platform/problem.ts';
import { asKeyword, isUnbounded, overlap, patternOf, refOf, startKeyword } from './keywords.ts';
import type { Wanted } from './starter-kinds.ts';
import {
  deleteKeyword,
  insertStarter,
  listStarters,
  type NewStarter,
  type StarterRow,
  saveStarter,
} from './starters-store.ts';
import { findScenarioByName } from './store.ts';

/** A keyword with the scenario's name. The empty keyword stands for the client's first message. */
export type Starter = { keyword: string; scenario: string };

const maxKeyword = 255;
const mostStarters = 1000;

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
 * Sets the scenarios that clients start, and returns all that are enabled. A starter without a scenario is removed.
 * Throws `Refused`.
 */
export async function setStarters(
  { sql, newId }: Pick<Context, 'sql' | 'newId'>,
  projectId: string,
  starters: readonly Starter[],
): Promise<Starter[]> {
  const known = await Promise.all(
    starters.map(async ({ keyword, scenario }) => {
      const complaint = complaintOf(asKeyword(keyword));
      if (complaint !== null) throw new Refused(complaint);
      if (scenario === '') return { keyword: asKeyword(keyword), id: null };
      const found = await findScenarioByName(sql, projectId, scenario);
      if (!found)
        throw new Refused(`There is no scenario "${scenario}". Add it with: patchbay scenario import <file>`);
      return { keyword: asKeyword(keyword), id: found.id };
    }),
  );
  for (const { keyword, id } of known) {
    if (id === null) await deleteKeyword(sql, projectId, keyword);
    else await saveStarter(sql, projectId, newStarter(newId(), keyword, id));
  }
  return (await listStarters(sql, projectId)).filter(({ is_enabled }) => is_enabled);
}

const newStarter = (id: string, keyword: string, scenarioId: number): NewStarter => ({
  ...{ id, keyword, scenarioId },
  pattern: patternOf(keyword),
});

function complaintOf(keyword: string): string | null {
  if (keyword.length > maxKeyword) return `A keyword has at most ${maxKeyword} characters.`;
  return isUnbounded(keyword) ? 'A keyword has at least one character beside the stars.' : null;
}

export function wantedOf(keyword: string): Wanted {
  if (keyword === '') return { kind: 'welcome', value: '' };
  const ref = refOf(keyword);
  return ref === null ? { kind: 'keyword', value: keyword } : { kind: 'link', value: ref };
}

/** Throws `Invalid` on `value`. */
function keywordOf({ kind, value }: Wanted): string {
  if (kind === 'welcome') return '';
  if (asKeyword(value) === '') throw invalid('value', 'This field may not be blank.');
  const keyword = kind === 'link' ? startKeyword(value.trim()) : asKeyword(value);
  const complaint = complaintOf(keyword);
  if (complaint !== null) throw invalid('value', complaint);
  return keyword;
}

/** `taken` has the same keyword. A message may match both the keyword and one of `overlapping`. */
export type Conflicts = { taken: StarterRow | null; overlapping: StarterRow[] };

/** What conflicts with a keyword for this scenario. Its own other keywords start the same, and do not conflict. */
export function conflictsIn(starters: readonly StarterRow[], scenarioId: number, keyword: string): Conflicts {
  return {
    taken: starters.find((one) => one.keyword === keyword) ?? null,
    overlapping: starters.filter(
      (one) =>
        one.is_enabled &&
        one.keyword !== keyword &&
        one.scenario_id !== scenarioId &&
        overlap(one.keyword, keyword),
    ),
  };
}

/** What conflicts with a starter that a person is about to add. Throws `Invalid` on `value`. */
export async function conflictsOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  scenarioId: number,
  wanted: Wanted,
): Promise<Conflicts> {
  return conflictsIn(await listStarters(sql, projectId), scenarioId, keywordOf(wanted));
}

/** Returns the uuid. Throws `Invalid` on `value`, and `Refused` when the project has too many. */
export async function addStarter(
  { sql, newId }: Pick<Context, 'sql' | 'newId'>,
  projectId: string,
  scenarioId: number,
  wanted: Wanted,
): Promise<string> {
  const keyword = keywordOf(wanted);
  const known = await listStarters(sql, projectId);
  if (known.length >= mostStarters) throw new Refused(`A project has at most ${mostStarters} starters.`);
  const id = newId();
  if (await insertStarter(sql, projectId, newStarter(id, keyword, scenarioId))) return id;
  const { taken } = conflictsIn(await listStarters(sql, projectId), scenarioId, keyword);
  throw invalid('value', `This already starts "${taken?.scenario ?? ''}".`);
}
