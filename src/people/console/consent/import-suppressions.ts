import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { addressOn } from '../../../channels/registry.ts';
import { addressOf } from '../../../clients/consent/suppressions.ts';
import type { New } from '../../../clients/consent/suppressions-store.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { RawBytes } from '../../../platform/http/fields.ts';
import { BadFile } from '../../../platform/list-files/bad-file.ts';
import { csvRows } from '../../../platform/list-files/csv.ts';
import type { Row } from '../../../platform/list-files/list-row.ts';
import { invalid } from '../../../platform/problem.ts';
import { SuppressionsImported } from './schema.ts';
import { suppress } from './suppressions.ts';

/** A million addresses of thirty characters fit. */
const bodyLimit = 32 * 1024 * 1024;
/** Others have their turn at the embedded database after each statement, which takes about 20 ms. */
const linesAtOnce = 500;
const mostTold = 1_000;

/**
 * POST /console/api/suppressions/import/: the addresses of a CSV file, in its column `address` or the first one. The column
 * `platform` names the platform of an address that is neither a phone number nor an email. Known addresses stay, so that
 * an interrupted import can be repeated.
 */
export const importSuppressions = actionFor<Member>()({
  body: RawBytes,
  bodyLimit,
  line: 'files',
  response: SuppressionsImported,
  handle: async ({ context, principal: { projectId, operatorId }, body }) => {
    const country = await findDefaultCountry(context.sql, projectId);
    const told: SuppressionsImported = { added: 0, known: 0, problem_count: 0, problems: [] };
    try {
      await read(context, projectId, body, country, told);
    } catch (error) {
      throw error instanceof BadFile ? invalid('file', error.message) : error;
    } finally {
      // What was added stays, also when the list is full before the end of the file.
      context.log.info({ projectId, by: operatorId, added: told.added }, 'a suppression list was imported');
    }
    return told;
  },
});

type Columns = { address: number; platform: number; isHeaded: boolean };

/** As the export names them. */
const columnNames = { address: ['address', 'адрес'], platform: ['platform', 'платформа'] };

/** Without a heading `address` the first row is a line as any other. */
function columnsOf(first: readonly string[]): Columns {
  const headings = first.map((cell) => cell.trim().replace(/^\uFEFF/, ''));
  const address = headings.findIndex((heading) => columnNames.address.includes(heading));
  return {
    address: Math.max(address, 0),
    platform: address === -1 ? -1 : headings.findIndex((heading) => columnNames.platform.includes(heading)),
    isHeaded: address !== -1,
  };
}

/** Adds the addresses of the file, and counts them and its problems in the answer. */
async function read(
  context: Context,
  projectId: string,
  file: Buffer,
  country: string | null,
  told: SuppressionsImported,
): Promise<void> {
  let columns: Columns | null = null;
  let waiting: New[] = [];
  const problem = (line: number, text: string, reason: string): void => {
    told.problem_count += 1;
    if (told.problems.length < mostTold) told.problems.push({ line, text: text.slice(0, 200), reason });
  };
  const take = (row: Row, { address: at, platform }: Columns): void => {
    if ('problem' in row) {
      problem(row.line, row.text, row.problem);
      return;
    }
    const text = row.cells[at] ?? '';
    const found = addressOf({ address: text, platform: row.cells[platform] ?? '' }, country, addressOn);
    if ('reason' in found) problem(row.line, text, found.reason);
    else waiting.push({ ...found, id: context.newId() });
  };
  for await (const rows of csvRows(file)) {
    for (const row of rows) {
      if (columns === null) {
        columns = columnsOf('cells' in row ? row.cells : []);
        if (columns.isHeaded) continue;
      }
      take(row, columns);
      if (waiting.length < linesAtOnce) continue;
      await keep(context, projectId, waiting, told);
      waiting = [];
    }
  }
  if (waiting.length > 0) await keep(context, projectId, waiting, told);
  if (columns === null) throw new BadFile('The file is empty.');
}

async function keep(
  { sql, clock }: Context,
  projectId: string,
  rows: readonly New[],
  told: SuppressionsImported,
): Promise<void> {
  const added = await suppress(sql, projectId, rows, { way: 'import', now: clock.now() });
  told.added += added;
  told.known += rows.length - added;
}
