import type { Member } from '../../../access/auth/member.ts';
import { lifetimes } from '../../../access/oauth/rules.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { type Application, Applications } from './schema.ts';
import { type ApplicationRow, listApplicationRows } from './store.ts';

/** GET /console/api/applications/: the applications that this project owns or has given access to. */
export const listApplications = actionFor<Member>()({
  response: Applications,
  handle: async ({ context: { sql, clock }, principal: { projectId }, request }) => {
    const { limit, offset, envelope } = pageOf(request);
    const rows = await listApplicationRows(sql, projectId, clock.now());
    return envelope(rows.length, rows.slice(offset, offset + limit).map(presentApplication));
  },
});

const presentApplication = ({ id, connected_at, lapses_at, ...row }: ApplicationRow): Application => ({
  uuid: id,
  ...row,
  connected_at: connected_at?.toISOString() ?? null,
  renewed_at: lapses_at && new Date(lapses_at.getTime() - lifetimes.refreshMs).toISOString(),
});
