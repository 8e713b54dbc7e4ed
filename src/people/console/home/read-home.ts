import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Home } from './schema.ts';
import { findApprovals, findSteps, findTroubles, lastClients } from './store.ts';

const weekMs = 7 * 24 * 3_600_000;

/** GET /console/api/home/: a project's progress, and its problems. */
export const readHome = actionFor<Member>()({
  response: Home,
  handle: async ({ context: { sql, clock, config }, principal: { projectId, operatorId } }) => {
    const [{ is_demo, keys_end_at, ...steps }, clients, approvals, troubles] = await Promise.all([
      findSteps(sql, projectId),
      lastClients(sql, projectId),
      findApprovals(sql, projectId, operatorId),
      findTroubles(sql, projectId, new Date(clock.now().getTime() - weekMs)),
    ]);
    return {
      steps,
      clients,
      approvals,
      troubles,
      demo_url: is_demo ? `${config.publicUrl}/demo/` : null,
      demo_keys_end_at: keys_end_at?.toISOString() ?? null,
    };
  },
});
