import type { Member } from '../../../access/auth/member.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { countFailures } from './missed.ts';
import { Failures } from './schema.ts';

/** GET /console/api/mailings/{uuid}/failures/: the recipients that the last run did not reach, with the reasons. */
export const readFailures = actionFor<Member>()({
  params: UuidParams,
  response: Failures,
  line: 'searches',
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id, started_at, topic_id } }) =>
    started_at === null
      ? { reasons: [], resendable: 0, refused: 0 }
      : countFailures(sql, { projectId, id, startedAt: started_at, topicId: topic_id }),
});
