import type { Member } from '../../../access/auth/member.ts';
import { listAudiences } from '../../../clients/audiences/store.ts';
import { lastDays } from '../../../mailings/audience-days-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { presentAudience } from './present.ts';
import { ListedAudience } from './schema.ts';

/** GET /console/api/audiences/: by name. */
export const listSaved = actionFor<Member>()({
  response: PageOf(ListedAudience),
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const { limit, offset, envelope } = pageOf(request);
    const rows = await listAudiences(sql, projectId);
    const days = new Map(
      (await lastDays(sql, projectId)).map(({ audience_id, ...day }) => [audience_id, day]),
    );
    return envelope(
      rows.length,
      rows
        .slice(offset, offset + limit)
        .map((row) => ({ ...presentAudience(row), last_day: days.get(row.id) ?? null })),
    );
  },
});
