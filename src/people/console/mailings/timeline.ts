import type { Member } from '../../../access/auth/member.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Timeline } from './schema.ts';
import { findRuns } from './store.ts';
import { findTimeline, sampled } from './timeline-store.ts';

/** GET /console/api/mailings/{uuid}/timeline/: the events of the last run. */
export const readMailingTimeline = actionFor<Member>()({
  params: UuidParams,
  response: Timeline,
  line: 'searches',
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id, started_at } }) => {
    if (started_at === null) return { step_seconds: 1, is_sample: false, results: [] };
    const { looked, step, results } = await findTimeline(sql, projectId, id, started_at);
    const [run] = looked < sampled ? [] : await findRuns(sql, projectId, id);
    const scale = Math.max(1, (run?.planned ?? looked) / looked);
    return {
      step_seconds: step ?? 1,
      is_sample: scale > 1,
      results: results.map(({ at, sent, delivered, read }) => ({
        at,
        sent: Math.round(sent * scale),
        delivered: Math.round(delivered * scale),
        read: Math.round(read * scale),
      })),
    };
  },
});
