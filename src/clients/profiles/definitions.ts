import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { nilUuid } from '../../platform/id.ts';
import { actorOf } from './audit.ts';
import {
  clearAttribute,
  deleteAttribute,
  deleteTag,
  hasDefinition,
  untagProfiles,
} from './definitions-store.ts';

/**
 * Changing this many profiles takes much less than a statement's limit, and blocks the embedded database only as
 * long.
 */
const atOnce = 250;
/** The number of profiles that a statement looks at when hardly any of them needs a change. */
const lookedAt = 5_000;
/** Statements of one step. */
const pieces = 8;

/** The start of the next step. Null when all is done. */
export type Progress = { next: string | null };

type Step = { name: string; after?: string | undefined };

/**
 * Removes a tag from its profiles, and then from the project. Undefined when the project has no such tag. A million
 * profiles may have it, so the caller repeats steps until there is no next one. The tag itself goes last: after an
 * interruption it still exists.
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
    // Profiles that got the tag meanwhile.
    while ((await untag()) > 0);
    return { next: null };
  }
  return { next: nilUuid };
}

/** The same for an attribute with its values. `after` is the `next` of the previous step. */
export async function forgetAttribute(
  context: Context,
  principal: Principal,
  { name, after = nilUuid }: Step,
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
  // Profiles that got the attribute meanwhile.
  for (next = nilUuid; next !== undefined; ) next = await clear(next, lookedAt);
  return { next: null };
}

const doingBy = ({ clock, newId }: Context, principal: Principal, count: number) => ({
  actor: actorOf(principal),
  now: clock.now(),
  recordIds: Array.from({ length: count }, newId),
});
