import type { Member } from '../../../access/auth/member.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { sendCsv } from '../../../platform/http/csv-download.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { type Headings, headingsIn, InLanguage } from '../headings.ts';
import { codesBehind } from './export-store.ts';

const headings: Headings = {
  en: ['code', 'status', 'issued_at', 'expires_at', 'created_at', 'issued_chat'],
  ru: ['код', 'статус', 'выдан', 'действует до', 'создан', 'чат'],
};

/** GET /console/api/promocode-groups/{uuid}/export/: all codes of a group as a CSV file, which is streamed. */
export const exportCodes = actionFor<Member>()({
  params: UuidParams,
  query: InLanguage,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: ({ context: { sql }, principal: { projectId }, query, loaded, reply }) =>
    sendCsv(reply, {
      projectId,
      name: 'promocodes.csv',
      head: headingsIn(headings, query),
      rowsBehind: (id, count) => codesBehind(sql, projectId, loaded.id, id, count),
      cellsOf: (row) =>
        row.is_of_group
          ? [
              row.code,
              row.status,
              row.issued_at?.toISOString() ?? null,
              row.expires_at?.toISOString() ?? null,
              row.created_at.toISOString(),
              row.issued_chat_id,
            ]
          : null,
    }),
});
