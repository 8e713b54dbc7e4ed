import type { Member } from '../../../access/auth/member.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Runs } from './schema.ts';
import { findRuns } from './store.ts';

/** GET /console/api/mailings/{uuid}/runs/. */
export const listRuns = actionFor<Member>()({
  params: UuidParams,
  response: Runs,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) => {
    const rows = await findRuns(sql, projectId, loaded.id);
    return {
      results: rows.map(({ run, started_at, planned, sent, undelivered, cancelled }) => ({
        run,
        started_at: started_at.toISOString(),
        planned,
        sent,
        undelivered,
        stopped: cancelled,
      })),
    };
  },
});
