import { action } from '../platform/http/action.ts';
import { UuidParams } from '../platform/http/fields.ts';
import { presentMailing } from './present.ts';
import { Mailing } from './schema.ts';
import { findMailing } from './store.ts';

/** GET /api/partners/mailings/{uuid}/. Source: docs/contract.md, section 5. */
export const readMailing = action({
  name: 'readMailing',
  summary: 'Read a mailing with its statistics',
  params: UuidParams,
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { clock }, loaded }) => presentMailing(loaded, clock.now()),
});
