import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Problems } from './schema.ts';
import { findProblems, summariesOf } from './store.ts';

/** GET /console/api/mailings/{uuid}/problems/. */
export const listProblems = actionFor<Member>()({
  params: UuidParams,
  response: Problems,
  load: async ({ sql }, { projectId }, { uuid }) => (await summariesOf(sql, projectId, [uuid]))[0],
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id, problems } }) => {
    const results = await findProblems(sql, projectId, id);
    return { count: Math.max(problems, results.length), results };
  },
});
