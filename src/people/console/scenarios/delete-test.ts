import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { NotFound } from '../../../platform/problem.ts';
import { deleteTest as removeTest } from '../../../scenarios/tests-store.ts';
import { TestParams } from './schema.ts';

/** DELETE /console/api/scenarios/:id/tests/:test/. */
export const deleteTest = actionFor<Member>()({
  params: TestParams,
  handle: async ({ context: { sql }, principal: { projectId }, params: { id, test } }) => {
    if (!(await removeTest(sql, projectId, Number(id), test))) throw new NotFound();
  },
});
