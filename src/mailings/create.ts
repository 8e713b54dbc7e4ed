import { creation } from '../http/action.ts';
import { makeMailing } from './make.ts';
import { presentMailing } from './present.ts';
import { bodyLimit, Mailing, MailingCreate } from './schema.ts';
import { findMailing } from './store.ts';

/** POST /api/partners/mailings/. Source: specification, endpoint 12; open points, section 5. */
export const createMailing = creation({
  name: 'createMailing',
  summary: 'Create an audience mailing',
  description:
    'It starts at once unless `planned_at` or `regular_cron` says otherwise. Several audiences are intersected; without any it is a draft that does not start.',
  body: MailingCreate,
  bodyLimit,
  response: Mailing,
  handle: ({ context, principal: { projectId }, body, id }) => makeMailing(context, projectId, id, body),
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});
