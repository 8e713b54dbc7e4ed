import { action } from '../platform/http/action.ts';
import { UuidParams } from '../platform/http/fields.ts';
import { presentMailing } from './present.ts';
import { addDifference, holdRecount } from './recount-store.ts';
import { Mailing } from './schema.ts';
import { findMailing } from './store.ts';

/** POST /api/partners/mailings/{uuid}/calculate/. Source: docs/contract.md, section 5. */
export const calculateMailing = action({
  name: 'calculateMailing',
  summary: 'Recount the statistics of a mailing',
  description: 'Deprecated: the statistics are always up to date.',
  params: UuidParams,
  response: Mailing,
  line: 'searches',
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context: { sql, clock }, principal: { projectId }, loaded }) => {
    await sql.begin(async (transaction) => {
      await holdRecount(transaction, loaded.id);
      await addDifference(transaction, projectId, loaded.id);
    });
    return presentMailing((await findMailing(sql, projectId, loaded.id)) ?? loaded, clock.now());
  },
});
