import { findDefaultCountry } from '../../access/projects/store.ts';
import type { Context } from '../../platform/context.ts';
import { withoutApostrophe } from '../../platform/list-files/csv-line.ts';
import { download } from '../../platform/list-files/download.ts';
import { type ListLine, readListFile } from '../../platform/list-files/list-file.ts';
import { outboundFor } from '../../platform/outbound/outbound.ts';
import {
  blockOf,
  charactersOf,
  charactersOfBlock,
  type IdentifierField,
  type Line,
  linesOfBlock,
  normalIdentifier,
} from '../identifiers.ts';
import { addLines, forgetFiles, type ProblemLine } from '../lists-store.ts';
import { type LeasedMailing, type MailingRow, writeStep } from '../planner-store.ts';
import { CannotRun, leaseEnd } from './rules.ts';

type ListFile = {
  list: 'customers' | 'phones';
  url: string;
  field: IdentifierField;
  wanted: { heading: string; orFirstColumn: boolean };
};

/** Fetches the files and stores their lines. Earlier lines are deleted first: the file may have changed. */
export async function readFiles(
  context: Context,
  held: LeasedMailing,
  stopping: AbortSignal,
): Promise<MailingRow | undefined> {
  const { sql, clock } = context;
  const begun = await forgetFiles(sql, held);
  if (!begun) return undefined;
  let latest: LeasedMailing = { ...begun, lease: held.lease };
  for (const file of filesOf(held)) {
    const read = await readFile(context, latest, file, stopping);
    if (!read) return undefined;
    latest = read;
  }
  return writeStep(sql, latest, {
    stage: 'planning',
    progress: { cursor: null, tries: 0, lines: latest.progress.lines ?? 0 },
    dueAt: leaseEnd(clock.now()),
  });
}

/** Phone numbers are an audience alone: see `audienceOf`. */
function filesOf({
  customer_filter_file,
  customer_filter_field: field,
  phone_numbers_file,
}: LeasedMailing): ListFile[] {
  if (phone_numbers_file !== null) {
    const wanted = { heading: 'phone', orFirstColumn: true };
    return [{ list: 'phones', url: phone_numbers_file, field: 'PHONE_NUMBER', wanted }];
  }
  if (customer_filter_file === null || field === null) return [];
  const wanted = { heading: field.toLowerCase(), orFirstColumn: false };
  return [{ list: 'customers', url: customer_filter_file, field, wanted }];
}

const mebibyte = 1024 * 1024;

/** A million lines with ten short cells. A file of a few kilobytes may become thousands of times as much. */
const mostOfFile = 256 * mebibyte;

async function readFile(
  context: Context,
  held: LeasedMailing,
  listFile: ListFile,
  stopping: AbortSignal,
): Promise<LeasedMailing | undefined> {
  const { sql, clock } = context;
  const country = await findDefaultCountry(sql, held.project_id);
  const outbound = outboundFor(context.outbound, { owner: held.project_id });
  const file = await download(outbound, listFile.url, stopping);
  let writing: Promise<LeasedMailing | undefined> = Promise.resolve(held);
  let count = 0;

  // Lines are written while the next ones are read.
  for await (const { lines, problems } of readLines(file, listFile, country, stopping)) {
    const before = await writing;
    // The lease is lost.
    if (!before) return undefined;
    const read = { block: blockOf(lines), problems, leaseUntil: leaseEnd(clock.now()) };
    writing = addLines(sql, before, listFile.list, read).then(
      (row) => row && { ...before, progress: row.progress },
    );
    // The next `await` sees its failure. Until then the rejection counts as handled.
    writing.catch(() => {});
    count += lines.length;
  }
  const latest = await writing;
  if (latest && count === 0)
    throw new CannotRun('The file has no line with an identifier that could be read.');
  return latest && { ...latest, progress: { ...latest.progress, lines: count } };
}

type Read = { lines: Line[]; problems: ProblemLine[] };

/** The lines of a file for one statement each time. Throws `BadFile`, and `CannotRun` for too much text. */
async function* readLines(
  file: Buffer,
  { field, wanted }: ListFile,
  country: string | null,
  stopping: AbortSignal,
): AsyncGenerator<Read> {
  let read: Read = { lines: [], problems: [] };
  let [ofBlock, ofFile] = [0, 0];
  for await (const batch of readListFile(file, wanted)) {
    stopping.throwIfAborted();
    for (const line of batch) {
      const sorted = sortOut(line, field, country);
      if ('reason' in sorted) read.problems.push(sorted);
      else {
        read.lines.push(sorted);
        ofBlock += charactersOf(sorted);
      }
      const isFull = Math.max(read.lines.length, read.problems.length) >= linesOfBlock;
      if (!isFull && ofBlock < charactersOfBlock) continue;
      ofFile += ofBlock;
      if (ofFile > mostOfFile) throw new CannotRun(tooMuchText);
      yield read;
      read = { lines: [], problems: [] };
      ofBlock = 0;
    }
  }
  yield read;
}

const tooMuchText =
  'The lines of the file, each with the headings of its cells, are more than 256 MiB of text. Shorten the headings, or leave columns out.';

function sortOut(line: ListLine, field: IdentifierField, country: string | null): Line | ProblemLine {
  if ('problem' in line) return { line: line.line, identifier: line.text, reason: line.problem };
  // Spaces are part of an external id.
  const text = withoutApostrophe(field === 'EXTERNAL_ID' ? line.identifier : line.identifier.trim());
  const identifier = normalIdentifier(field, text, country);
  if (identifier !== null) return { line: line.line, identifier, variables: line.variables };
  return { line: line.line, identifier: text, reason: malformed[field] };
}

const malformed: Record<IdentifierField, string> = {
  UUID: 'This is not a uuid.',
  CHAT_UUID: 'This is not a uuid.',
  PHONE_NUMBER: 'This is not a phone number with its country code.',
  EXTERNAL_ID: 'There is no identifier.',
};
