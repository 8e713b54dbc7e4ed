import type { Member } from '../../../access/auth/member.ts';
import { findCodes } from '../../../clients/promocodes/codes-store.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { presentCode } from '../../../clients/promocodes/present.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { countCodes, findReading, type Holder, holdersOf, pageOfCodes } from './codes-store.ts';
import { CodesQuery, GroupCode } from './schema.ts';

/**
 * GET /console/api/promocode-groups/{uuid}/codes/: the codes that can still be issued, or with `status` the issued
 * ones. They come in the order in which they are issued. With `code`, the one with this text.
 */
export const listGroupCodes = actionFor<Member>()({
  params: UuidParams,
  query: CodesQuery,
  response: PageOf(GroupCode),
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, query, loaded: group, request }) => {
    const page = pageOf(request);
    const { status = 'AVAILABLE', code } = query;
    const found = code === undefined ? null : await findReading(sql, projectId, group.id, code);
    const count = found ? found.length : await countCodes(sql, projectId, group.id, status);
    const ids =
      found?.slice(page.offset, page.offset + page.limit) ??
      (await pageOfCodes(sql, projectId, group.id, status, count, page));
    const rows = new Map((await findCodes(sql, projectId, ids)).map((row) => [row.id, row]));
    const holders = await holdersOf(sql, projectId, ids);
    const codes = ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? [{ ...presentCode(row), client: clientOf(holders.get(id)) }] : [];
    });
    return page.envelope(count, codes);
  },
});

function clientOf(holder: Holder | undefined): GroupCode['client'] {
  if (!holder) return null;
  const { profile_id, profile_name, chat_name, username, phone } = holder;
  return { uuid: profile_id, title: profile_name ?? chat_name ?? (username && `@${username}`) ?? phone };
}
