import { Readable } from 'node:stream';
import type { Member } from '../../../access/auth/member.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { nilUuid } from '../../../platform/id.ts';
import { csvLine } from '../../../platform/list-files/csv-line.ts';
import { codesBehind, type ExportedRow } from './export-store.ts';

const atOnce = 5_000;

/** GET /console/api/promocode-groups/{uuid}/export/: all codes of a group as a CSV file, which is streamed. */
export const exportCodes = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded, reply }) => {
    const rowsBehind = (id: string): Promise<ExportedRow[]> =>
      codesBehind(sql, projectId, loaded.id, id, atOnce);
    // Read before the response begins: a later error can only break it off.
    const begin = await rowsBehind(nilUuid);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="promocodes.csv"')
      .send(Readable.from(csvOf(begin, rowsBehind), { highWaterMark: 1 }));
  },
});

async function* csvOf(
  begin: ExportedRow[],
  rowsBehind: (id: string) => Promise<ExportedRow[]>,
): AsyncGenerator<string> {
  // Spreadsheets recognize UTF-8 by this mark.
  yield `\uFEFF${csvLine(['code', 'status', 'issued_at', 'expires_at', 'created_at', 'issued_chat'])}`;
  for (let rows = begin; rows.length > 0; rows = await rowsBehind(rows.at(-1)?.id ?? nilUuid)) {
    const own = rows.filter(({ is_of_group }) => is_of_group);
    if (own.length > 0) yield own.map(lineOf).join('');
  }
}

const lineOf = (row: ExportedRow): string =>
  csvLine([
    row.code,
    row.status,
    row.issued_at?.toISOString() ?? null,
    row.expires_at?.toISOString() ?? null,
    row.created_at.toISOString(),
    row.issued_chat_id,
  ]);
