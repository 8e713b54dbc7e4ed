import { creation } from '../platform/http/action.ts';
import { isRecord } from '../platform/http/json.ts';
import { TestedMailingCreate } from './ab-test/schema.ts';
import { checkMailing, linesOf, makeMailing } from './make.ts';
import { presentMailing } from './present.ts';
import { bodyLimit, Mailing } from './schema.ts';
import { findMailing } from './store.ts';

/** POST /api/partners/mailings/. Source: docs/contract.md, section 5. */
export const createMailing = creation({
  name: 'createMailing',
  summary: 'Create an audience mailing',
  description:
    'The mailing starts at once, or as `planned_at` or `regular_cron` defines. Several audiences are intersected. Without an audience the mailing is a draft and does not start.',
  body: TestedMailingCreate,
  bodyLimit,
  line: (body) => (hasLongList(body) ? 'files' : 'writes'),
  response: Mailing,
  handle: async ({ context, principal: { projectId }, body, id }) => {
    const lines = await linesOf(body, null);
    const checked = await checkMailing(context, projectId, body, lines);
    return makeMailing(context, projectId, id, checked, lines);
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});

/** Shorter ones are a few pieces at most. */
const longFrom = 1_000;

/** Long lists of one project would together keep others waiting. */
const hasLongList = (body: unknown): boolean =>
  isRecord(body) &&
  Array.isArray(body.customer_filter_array) &&
  body.customer_filter_array.length >= longFrom;
