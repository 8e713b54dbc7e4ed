import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { listSecrets } from '../../../scenarios/secrets-store.ts';
import { Secrets } from './schema.ts';

/** GET /console/api/secrets/: their names and hosts. Their values are never shown. */
export const listProjectSecrets = actionFor<Member>()({
  response: Secrets,
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const { limit, offset, envelope } = pageOf(request);
    const rows = await listSecrets(sql, projectId);
    const page = rows.slice(offset, offset + limit);
    return envelope(
      rows.length,
      page.map(({ name, host, set_at }) => ({ name, host, set_at: set_at.toISOString() })),
    );
  },
});
