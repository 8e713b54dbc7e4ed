import type { Context } from '../platform/context.ts';
import type { Sql } from '../platform/database/database.ts';
import { bounds, full, waitForOthers } from '../platform/limits/room-store.ts';
import { invalid, messages, Refused } from '../platform/problem.ts';
import { asKeyword, isUnbounded, overlap, patternOf, piecesOf, refOf, startKeyword } from './keywords.ts';
import type { Wanted } from './starter-kinds.ts';
import {
  deleteKeyword,
  hasAudience,
  hasPromocodeGroup,
  insertEventStarter,
  insertKeyword,
  listStarters,
  type NewKeyword,
  type StarterRow,
  saveKeyword,
  type Trigger,
} from './starters-store.ts';
import { findScenarioByName, missingOf } from './store.ts';

/** A keyword with the scenario's name. The empty keyword stands for the client's first message. */
export type Starter = { keyword: string; scenario: string };

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
    else await saveKeyword(sql, projectId, newKeyword(newId(), keyword, id));
  }
  return (await listStarters(sql, projectId))
    .filter(({ kind, is_enabled }) => kind === 'message' && is_enabled)
    .map(({ subject, scenario }) => ({ keyword: subject, scenario }));
}

const newKeyword = (id: string, keyword: string, scenarioId: number): NewKeyword => ({
  ...{ id, keyword, scenarioId },
  pattern: patternOf(keyword),
});

function complaintOf(keyword: string): string | null {
  if (keyword.length > maxKeyword) return `A keyword has at most ${maxKeyword} characters.`;
  return isUnbounded(keyword) ? 'A keyword has at least one character beside the stars.' : null;
}

export function wantedOf({ kind, subject, value }: Trigger): Required<Wanted> {
  if (kind !== 'message') return { kind, value: subject, to: value };
  if (subject === '') return { kind: 'welcome', value: '', to: '' };
  const ref = refOf(subject);
  return ref === null ? { kind: 'keyword', value: subject, to: '' } : { kind: 'link', value: ref, to: '' };
}

const isHour = (text: string): boolean => /^(1?\d|2[0-3])$/.test(text);

/** Throws `Invalid` on `value` or `to`. */
function triggerOf({ kind, value, to = '' }: Wanted): Trigger {
  switch (kind) {
    case 'welcome':
      return { kind: 'message', subject: '', value: '' };
    case 'keyword':
      return { kind: 'message', subject: enteredKeyword(value, asKeyword), value: '' };
    case 'link':
      return {
        kind: 'message',
        subject: enteredKeyword(value, (ref) => startKeyword(ref.trim())),
        value: '',
      };
    case 'attribute':
      return { kind, subject: value, value: to };
    case 'date':
      if (!isHour(to)) throw invalid('to', 'Enter an hour from 0 to 23.');
      return { kind, subject: value, value: to };
    case 'tag_added':
    case 'tag_removed':
    case 'promocode':
    case 'audience':
      return { kind, subject: value, value: '' };
  }
}

function enteredKeyword(text: string, keywordOf: (text: string) => string): string {
  if (asKeyword(text) === '') throw invalid('value', messages.blank);
  const keyword = keywordOf(text);
  const complaint = complaintOf(keyword);
  if (complaint !== null) throw invalid('value', complaint);
  return keyword;
}

/** `taken` is the same. One event may be both the starter's and one of `overlapping`, the first few of those. */
export type Conflicts = { taken: StarterRow | null; overlapping: StarterRow[] };

/** So many conflicts tell a person enough. */
const mostOverlapping = 20;

/**
 * Finds what conflicts with a trigger of a scenario. The scenario's own other ones start the same, and do not conflict.
 * Each keyword is taken apart once, however many triggers it is compared with.
 */
export function conflictsAmong(starters: readonly StarterRow[]) {
  const known = starters.map((row) => ({ row, pieces: piecesOf(row.subject) }));
  return (scenarioId: number, trigger: Trigger): Conflicts => {
    const pieces = piecesOf(trigger.subject);
    const meeting = known.filter(
      ({ row, pieces: others }) =>
        row.is_enabled &&
        row.scenario_id !== scenarioId &&
        !isSame(row, trigger) &&
        doMeet(row, trigger, () => overlap(pieces, others)),
    );
    return {
      taken: starters.find((one) => isSame(one, trigger)) ?? null,
      overlapping: meeting.slice(0, mostOverlapping).map(({ row }) => row),
    };
  };
}

const isSame = (one: Trigger, other: Trigger): boolean =>
  one.kind === other.kind && one.subject === other.subject && one.value === other.value;

/** Whether two different triggers can have the same event. `doWordsMeet` compares keywords. */
function doMeet(one: Trigger, other: Trigger, doWordsMeet: () => boolean): boolean {
  if (one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'message':
      return doWordsMeet();
    case 'attribute':
      return one.subject === other.subject && (one.value === '' || other.value === '');
    case 'promocode':
      return one.subject === '' || other.subject === '';
    case 'tag_added':
    case 'tag_removed':
    case 'date':
    case 'audience':
      return false;
  }
}

/** The trigger of a starter that a person is about to add, and what conflicts with it. Throws `Invalid` on `value`. */
export async function conflictsOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  scenarioId: number,
  wanted: Wanted,
): Promise<Conflicts & { trigger: Trigger }> {
  const trigger = triggerOf(wanted);
  return { ...conflictsAmong(await listStarters(sql, projectId))(scenarioId, trigger), trigger };
}

/** Returns the uuid. Throws `Invalid` on `value`, and `Refused` when the project has too many. */
export async function addStarter(
  { sql, newId }: Pick<Context, 'sql' | 'newId'>,
  projectId: string,
  scenarioId: number,
  wanted: Wanted,
): Promise<string> {
  const trigger = triggerOf(wanted);
  if (!(await isKnown(sql, projectId, trigger))) throw invalid('value', 'The project does not have it.');
  const id = newId();
  const isMade = await sql.begin(async (transaction) => {
    await waitForOthers(transaction, 'scenario_starters', projectId);
    const known = await listStarters(transaction, projectId);
    if (known.length >= bounds.scenario_starters.most) throw full('scenario_starters');
    return insert(transaction, projectId, id, trigger, scenarioId);
  });
  if (isMade) return id;
  const { taken } = conflictsAmong(await listStarters(sql, projectId))(scenarioId, trigger);
  throw invalid('value', `This already starts "${taken?.scenario ?? ''}".`);
}

function insert(
  sql: Sql,
  projectId: string,
  id: string,
  { kind, subject, value }: Trigger,
  scenarioId: number,
): Promise<boolean> {
  return kind === 'message'
    ? insertKeyword(sql, projectId, newKeyword(id, subject, scenarioId))
    : insertEventStarter(sql, projectId, { id, kind, subject, value, scenarioId });
}

/** Whether the project has the tag, the attribute, the group or the audience. */
async function isKnown(sql: Sql, projectId: string, { kind, subject }: Trigger): Promise<boolean> {
  const none = { scenarios: [], attributes: [], tags: [], promocode_groups: [], audiences: [] };
  switch (kind) {
    case 'message':
      return true;
    case 'tag_added':
    case 'tag_removed':
      return (await missingOf(sql, projectId, { ...none, tags: [subject] })).tags.length === 0;
    case 'attribute':
    case 'date':
      return (await missingOf(sql, projectId, { ...none, attributes: [subject] })).attributes.length === 0;
    case 'promocode':
      return subject === '' || hasPromocodeGroup(sql, projectId, subject);
    case 'audience':
      return hasAudience(sql, projectId, subject);
  }
}
