import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { actorOf } from './audit.ts';
import {
  clearAttribute,
  deleteAttribute,
  deleteTag,
  hasDefinition,
  untagProfiles,
} from './definitions-store.ts';

/** So many profiles are changed well under the time that a statement has, and block the embedded database for no longer. */
const atOnce = 250;
/** So many are looked at by a statement that finds hardly any of them to be changed. */
const lookedAt = 5_000;
/** Statements of one step. */
const pieces = 8;

const beginning = '00000000-0000-0000-0000-000000000000';

/** From where the next step goes on; null when all is done. */
export type Progress = { next: string | null };

type Step = { name: string; after?: string | undefined };

/**
 * Takes a tag off those who carry it, and then out of the project; undefined when there is none. There may be a million
 * who do, so it goes in steps that the caller repeats until there is no next one. The tag itself goes last: whoever is
 * interrupted finds it still there.
 */
export async function forgetTag(
  context: Context,
  principal: Principal,
  { name }: Step,
): Promise<Progress | undefined> {
  const { sql } = context;
  const { projectId } = principal;
  const untag = () => untagProfiles(sql, projectId, name, doingBy(context, principal, atOnce));
  if (!(await hasDefinition(sql, projectId, 'tags', name))) return undefined;
  for (let piece = 0; piece < pieces; piece += 1) {
    if ((await untag()) > 0) continue;
    await deleteTag(sql, projectId, name);
    // Whoever got it meanwhile.
    while ((await untag()) > 0);
    return { next: null };
  }
  return { next: beginning };
}

/** The same of an attribute, with the values that it has. `after` is what the step before said. */
export async function forgetAttribute(
  context: Context,
  principal: Principal,
  { name, after = beginning }: Step,
): Promise<Progress | undefined> {
  const { sql } = context;
  const { projectId } = principal;
  const clear = (behind: string, count: number) =>
    clearAttribute(sql, projectId, name, behind, doingBy(context, principal, count));
  if (!(await hasDefinition(sql, projectId, 'attributes', name))) return undefined;
  let next: string | undefined = after;
  for (let piece = 0; piece < pieces && next !== undefined; piece += 1) next = await clear(next, atOnce);
  if (next !== undefined) return { next };
  await deleteAttribute(sql, projectId, name);
  // Whoever got it meanwhile.
  for (next = beginning; next !== undefined; ) next = await clear(next, lookedAt);
  return { next: null };
}

const doingBy = ({ clock, newId }: Context, principal: Principal, count: number) => ({
  actor: actorOf(principal),
  now: clock.now(),
  recordIds: Array.from({ length: count }, newId),
});
