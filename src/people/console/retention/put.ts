import type { Member } from '../../../access/auth/member.ts';
import { setRetention } from '../../../access/projects/retention-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { retentionOf } from './read.ts';
import { RetentionPage, RetentionPut } from './schema.ts';

/** PUT /console/api/retention/. Source: docs/adr/0021-a-month-is-removed-at-once.md. */
export const putProjectRetention = actionFor<Member>()({
  body: RetentionPut,
  response: RetentionPage,
  handle: async ({ context, principal: { projectId, operatorId, name }, body }) => {
    await setRetention(context.sql, {
      projectId,
      id: context.newId(),
      author: { id: operatorId, name },
      becomes: body,
      now: context.clock.now(),
    });
    context.log.info({ projectId, by: operatorId, retention: body }, 'the retention of a project was set');
    return retentionOf(context, projectId);
  },
});
