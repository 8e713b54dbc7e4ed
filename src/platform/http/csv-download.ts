import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { nilUuid } from '../id.ts';
import { csvLine } from '../list-files/csv-line.ts';
import { Throttled } from '../problem.ts';
import { Closing } from './errors.ts';
import { filesInTurn, type InTurn } from './in-turn.ts';

type Cells = readonly (string | null)[];

/** A page of rows and its text take megabytes, and a reader may wait between two pages. */
const mostOfProject = 4;
const fullForSeconds = 5;
/** Others have their turn at the embedded database after each page, which takes about 25 ms. */
const pageRows = 500;

/** A download of this project in its process. The file is null before its first rows are read. */
type Download = { projectId: string; file: Readable | null };

/** The downloads of a process. Those of a project read their pages one after another. */
export type Downloads = { running: Set<Download>; pages: InTurn };

export const openDownloads = (): Downloads => ({ running: new Set(), pages: filesInTurn() });

export type CsvDownload<Row extends { id: string }> = {
  projectId: string;
  /** The file's name. */
  name: string;
  /** The names of the columns. */
  head: Cells;
  /** The next rows behind this id, at most `count`, in the order of ids. None at the end. */
  rowsBehind: (id: string, count: number) => Promise<Row[]>;
  /** A row's cells. Null for a row that is left out. */
  cellsOf: (row: Row) => Cells | null;
};

type PagedDownload<Row extends { id: string }> = Omit<CsvDownload<Row>, 'rowsBehind'> & {
  rowsBehind: (id: string) => Promise<Row[]>;
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
  // A reader may take a page an hour, and would hear of what is new long after their credentials have ended.
  const rowsBehind = async (id: string) => {
    await request.admitted?.confirm();
    const end = await server.downloads.pages(download.projectId);
    return download.rowsBehind(id, pageRows).finally(() => end(0));
  };
  return reply.send(await begin(server.downloads, { ...download, rowsBehind }, () => server.isClosing));
}

/** Reads the first rows before the response begins: a later error can only break it off. */
async function begin<Row extends { id: string }>(
  { running }: Downloads,
  asked: PagedDownload<Row>,
  isClosing: () => boolean,
): Promise<Readable> {
  const { projectId } = asked;
  if ([...running].filter((one) => one.projectId === projectId).length >= mostOfProject) {
    throw new Throttled(fullForSeconds);
  }
  const download: Download = { projectId, file: null };
  running.add(download);
  try {
    const rows = await asked.rowsBehind(nilUuid);
    if (isClosing()) throw new Closing();
    const lines = linesOf(rows, asked, () => download.file?.destroyed === true);
    download.file = Readable.from(lines, { highWaterMark: 1 });
  } catch (error) {
    running.delete(download);
    throw error;
  }
  return download.file.once('close', () => running.delete(download));
}

async function* linesOf<Row extends { id: string }>(
  begin: Row[],
  { head, rowsBehind, cellsOf }: PagedDownload<Row>,
  isLeft: () => boolean,
): AsyncGenerator<string> {
  // Spreadsheets recognize UTF-8 by this mark.
  yield `\uFEFF${csvLine(head)}`;
  for (let rows = begin; rows.length > 0; rows = await rowsBehind(rows.at(-1)?.id ?? nilUuid)) {
    // Pages without a line ask for no room, so they would be read to the end.
    if (isLeft()) return;
    const cells = rows.map(cellsOf).filter((row) => row !== null);
    if (cells.length > 0) yield cells.map(csvLine).join('');
  }
}
