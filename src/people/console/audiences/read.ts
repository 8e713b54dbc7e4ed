import type { Member } from '../../../access/auth/member.ts';
import { findAudience, openMailingsOf, scenariosOf, startedBy } from '../../../clients/audiences/store.ts';
import { daysOf } from '../../../mailings/audience-days-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { presentAudience } from './present.ts';
import { AudienceDetail } from './schema.ts';

const shownDays = 90;

/** GET /console/api/audiences/{uuid}/. */
export const readAudience = actionFor<Member>()({
  params: UuidParams,
  response: AudienceDetail,
  load: ({ sql }, { projectId }, { uuid }) => findAudience(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) => ({
    ...presentAudience(loaded),
    mailings: await openMailingsOf(sql, projectId, loaded.id),
    scenarios: [
      ...new Set([
        ...(await scenariosOf(sql, projectId, loaded.name)),
        ...(await startedBy(sql, projectId, loaded.id)),
      ]),
    ],
    days: await daysOf(sql, projectId, loaded.id, shownDays),
  }),
});
