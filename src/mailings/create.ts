import { findDefaultCountry } from '../access/projects/store.ts';
import { creation } from '../platform/http/action.ts';
import { linesOf, makeMailing } from './make.ts';
import { presentMailing } from './present.ts';
import { bodyLimit, Mailing, MailingCreate } from './schema.ts';
import { findMailing } from './store.ts';

/** POST /api/partners/mailings/. Source: docs/contract.md, section 5. */
export const createMailing = creation({
  name: 'createMailing',
  summary: 'Create an audience mailing',
  description:
    'The mailing starts at once, or as `planned_at` or `regular_cron` defines. Several audiences are intersected. Without an audience the mailing is a draft and does not start.',
  body: MailingCreate,
  bodyLimit,
  response: Mailing,
  handle: async ({ context, principal: { projectId, kind }, body, id }) => {
    // People write national phone numbers. A partner's program sends international ones.
    const country = kind === 'person' ? await findDefaultCountry(context.sql, projectId) : null;
    return makeMailing(context, projectId, id, body, await linesOf(body, country));
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});
