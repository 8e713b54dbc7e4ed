import type { Member } from '../../../access/auth/member.ts';
import { deleteTemplate } from '../../../messaging/templates/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { NotFound, Refused } from '../../../platform/problem.ts';
import { TemplateParams } from './schema.ts';

/** DELETE /console/api/templates/:pid/. Refused while a planned or running mailing names it. */
export const removeTemplate = actionFor<Member>()({
  params: TemplateParams,
  handle: async ({ context: { sql }, principal: { projectId }, params: { pid } }) => {
    switch (await deleteTemplate(sql, projectId, pid)) {
      case 'deleted':
        return;
      case 'awaited':
        throw new Refused('A planned or running mailing uses this template.');
      case 'missing':
        throw new NotFound();
    }
  },
});
