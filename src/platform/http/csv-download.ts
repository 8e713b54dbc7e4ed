import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { nilUuid } from '../id.ts';
import { csvLine } from '../list-files/csv-line.ts';
import { Closing } from './errors.ts';

type Cells = readonly (string | null)[];

export type CsvDownload<Row extends { id: string }> = {
  /** The file's name. */
  name: string;
  /** The names of the columns. */
  head: Cells;
  /** The rows behind this id, in the order of ids. None at the end. */
  rowsBehind: (id: string) => Promise<Row[]>;
  /** A row's cells. Null for a row that is left out. */
  cellsOf: (row: Row) => Cells | null;
};

/**
 * Answers with a CSV file of any length. It is read as fast as the browser takes it. A closing server breaks it off,
 * and the browser sees that the file is not whole.
 */
export async function sendCsv<Row extends { id: string }>(
  reply: FastifyReply,
  download: CsvDownload<Row>,
): Promise<FastifyReply> {
  const { server, request } = reply;
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${download.name}"`);
  // An answer to HEAD ends after its head, and reads no rows for it.
  if (request.method === 'HEAD') return reply.send();
  // Read before the response begins: a later error can only break it off.
  const begin = await download.rowsBehind(nilUuid);
  if (server.isClosing) throw new Closing();
  const file = Readable.from(linesOf(begin, download), { highWaterMark: 1 });
  server.downloads.add(file);
  file.once('close', () => server.downloads.delete(file));
  return reply.send(file);
}

async function* linesOf<Row extends { id: string }>(
  begin: Row[],
  { head, rowsBehind, cellsOf }: CsvDownload<Row>,
): AsyncGenerator<string> {
  // Spreadsheets recognize UTF-8 by this mark.
  yield `\uFEFF${csvLine(head)}`;
  for (let rows = begin; rows.length > 0; rows = await rowsBehind(rows.at(-1)?.id ?? nilUuid)) {
    const cells = rows.map(cellsOf).filter((row) => row !== null);
    if (cells.length > 0) yield cells.map(csvLine).join('');
  }
}
