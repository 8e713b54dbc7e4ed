import type { Member } from '../../../access/auth/member.ts';
import { forgetAttribute, forgetTag } from '../../../clients/profiles/definitions.ts';
import { listAttributes, listTags } from '../../../clients/profiles/definitions-store.ts';
import { addAttribute, addTag } from '../../../clients/profiles/dictionary.ts';
import type { Context } from '../../../platform/context.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { NotFound } from '../../../platform/problem.ts';
import { DeletionProgress, DeletionStep, Dictionary, Named } from './schema.ts';

/** Attributes have no index. A short statement counts them. */
const attributesCountedAmong = 10_000;

const define = actionFor<Member>();

/** GET /console/api/tags/ */
export const readTags = define({
  response: Dictionary,
  handle: async ({ context: { sql }, principal: { projectId } }) => {
    const total = await countRows(sql, projectId, 'profiles');
    return { results: await listTags(sql, projectId), counted_among: total, total };
  },
});

/** GET /console/api/attributes/ */
export const readAttributes = define({
  response: Dictionary,
  handle: async ({ context: { sql }, principal: { projectId } }) => {
    const total = await countRows(sql, projectId, 'profiles');
    const results = await listAttributes(sql, projectId, attributesCountedAmong);
    return { results, counted_among: Math.min(total, attributesCountedAmong), total };
  },
});

type Add = (context: Context, entry: { projectId: string; name: string }) => Promise<void>;

const adding = (add: Add) =>
  define({
    body: Named,
    handle: async ({ context, principal: { projectId }, body: { name } }) =>
      add(context, { projectId, name }),
  });

/** POST /console/api/tags/ */
export const createTag = adding(addTag);
/** POST /console/api/attributes/ */
export const createAttribute = adding(addAttribute);

type Forget = typeof forgetTag;

const forgetting = (forget: Forget) =>
  define({
    query: DeletionStep,
    response: DeletionProgress,
    handle: async ({ context, principal, query }) => {
      const progress = await forget(context, principal, query);
      if (!progress) throw new NotFound();
      return progress;
    },
  });

/**
 * DELETE /console/api/tags/?name=…: also removes it from every profile, in steps. The caller repeats them until there
 * is no next one.
 */
export const deleteTag = forgetting(forgetTag);
/** DELETE /console/api/attributes/?name=…&after=…: with the values in profiles, in steps. */
export const deleteAttribute = forgetting(forgetAttribute);
