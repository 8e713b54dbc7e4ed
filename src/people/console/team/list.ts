import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { presentMember } from './present.ts';
import { Team } from './schema.ts';
import { teamPage } from './store.ts';

/** GET /console/api/team/: everybody of the project, by name. */
export const listTeam = actionFor<Member>()({
  response: Team,
  handle: async ({ context: { sql }, principal, request }) => {
    const page = pageOf(request);
    const { count, rows } = await teamPage(sql, principal.projectId, page);
    return page.envelope(
      count,
      rows.map((row) => presentMember(row, principal)),
    );
  },
});
