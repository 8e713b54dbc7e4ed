import { action } from '../platform/http/action.ts';
import { UuidParams } from '../platform/http/fields.ts';
import { presentMailing } from './present.ts';
import { Mailing } from './schema.ts';
import { findMailing, stopMailing } from './store.ts';

/**
 * POST /api/partners/mailings/{uuid}/stop/. After its answer, only messages in flight are still sent. A mailing that
 * has ended stays unchanged. Source: docs/contract.md, section 5.
 */
export const stopAMailing = action({
  name: 'stopMailing',
  summary: 'Stop a mailing',
  description:
    'Messages in flight are still sent; all others are not. A mailing that has ended stays unchanged.',
  params: UuidParams,
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql, clock, wake }, principal: { projectId }, loaded }) => {
    const now = clock.now();
    if (await stopMailing(sql, projectId, loaded.id, now)) wake.wake('planning');
    return presentMailing((await findMailing(sql, projectId, loaded.id)) ?? loaded, now);
  },
});
