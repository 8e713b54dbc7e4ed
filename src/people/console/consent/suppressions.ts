import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { addressOn } from '../../../channels/registry.ts';
import { addressOf } from '../../../clients/consent/suppressions.ts';
import {
  deleteSuppression,
  insertSuppressions,
  type New,
  type Row,
  suppressionsBeginning,
  suppressionsPage,
} from '../../../clients/consent/suppressions-store.ts';
import type { Pool } from '../../../platform/database/database.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { bounds, full, waitForOthers } from '../../../platform/limits/room-store.ts';
import { invalid, messages, NotFound } from '../../../platform/problem.ts';
import { Suppression, SuppressionAdd, SuppressionsQuery } from './schema.ts';

const define = actionFor<Member>();

const present = ({ id, added_at, ...row }: Row): Suppression => ({
  uuid: id,
  ...row,
  added_at: added_at.toISOString(),
});

/** GET /console/api/suppressions/: newest first. With `search` by address, and of the first thousand. */
export const listSuppressions = define({
  query: SuppressionsQuery,
  response: PageOf(Suppression),
  handle: async ({ context: { sql }, principal: { projectId }, query: { search }, request }) => {
    const page = pageOf(request);
    if (search !== undefined) {
      const found = await suppressionsBeginning(sql, projectId, search.trim());
      const own = found.slice(page.offset, page.offset + page.limit);
      return page.envelope(found.length, own.map(present));
    }
    const count = await countRows(sql, projectId, 'suppressions');
    return page.envelope(count, (await suppressionsPage(sql, projectId, count, page)).map(present));
  },
});

/** POST /console/api/suppressions/ */
export const addSuppression = define({
  body: SuppressionAdd,
  handle: async ({ context: { sql, newId, clock }, principal: { projectId }, body }) => {
    const country = await findDefaultCountry(sql, projectId);
    const found = addressOf({ address: body.address, platform: body.platform ?? '' }, country, addressOn);
    if ('reason' in found) throw invalid(found.field, found.reason);
    const rows = [{ ...found, id: newId() }];
    const added = await suppress(sql, projectId, rows, { way: 'operator', now: clock.now() });
    if (added === 0) throw invalid('address', messages.unique);
  },
});

/** DELETE /console/api/suppressions/{uuid}/ */
export const removeSuppression = define({
  params: UuidParams,
  handle: async ({ context, principal: { projectId, operatorId }, params: { uuid } }) => {
    if (!(await deleteSuppression(context.sql, projectId, uuid))) throw new NotFound();
    context.log.info({ projectId, by: operatorId }, 'an address was taken off the suppression list');
  },
});

/** Adds addresses, and returns the number of those that were not on the list. Throws `Refused` for a full list. */
export function suppress(
  sql: Pool,
  projectId: string,
  rows: readonly New[],
  how: { way: Row['way']; now: Date },
): Promise<number> {
  return sql.begin(async (transaction) => {
    await waitForOthers(transaction, 'suppressions', projectId);
    const count = await countRows(transaction, projectId, 'suppressions');
    if (count + rows.length > bounds.suppressions.most) throw full('suppressions');
    return insertSuppressions(transaction, projectId, rows, how);
  });
}
