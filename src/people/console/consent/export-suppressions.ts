import type { Member } from '../../../access/auth/member.ts';
import { suppressionsBehind } from '../../../clients/consent/suppressions-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { sendCsv } from '../../../platform/http/csv-download.ts';
import { type Headings, headingsIn, InLanguage } from '../headings.ts';

const headings: Headings = {
  en: ['address', 'platform', 'added_at', 'way'],
  ru: ['адрес', 'платформа', 'добавлен', 'способ'],
};

/** GET /console/api/suppressions/export/: the whole list as a CSV file, which is streamed and can be imported. */
export const exportSuppressions = actionFor<Member>()({
  query: InLanguage,
  handle: ({ context: { sql }, principal: { projectId }, query, reply }) =>
    sendCsv(reply, {
      projectId,
      name: 'suppressions.csv',
      head: headingsIn(headings, query),
      rowsBehind: (id, count) => suppressionsBehind(sql, projectId, id, count),
      cellsOf: ({ address, platform, added_at, way }) => [address, platform, added_at.toISOString(), way],
    }),
});
