import { isOver } from '../access/projects/retention.ts';
import { readRetention } from '../access/projects/retention-store.ts';
import {
  archivesIn,
  everything,
  linesAtOnce,
  linesOf,
  type Pace,
  type Tools,
  unfinishedArchives,
} from './archive.ts';
import { readArchive } from './archive-files.ts';
import { type ArchiveRow, markRemoved } from './archives-store.ts';
import { deleteLines, type Line } from './rows-store.ts';
import { kindOf, type Unit } from './units.ts';

/** Archives what may go of a unit, if that is wanted, and deletes it in batches. */
export async function removeRows(tools: Tools, unit: Unit, hasArchive: boolean, pace: Pace): Promise<void> {
  if (!hasArchive) {
    await deleteAll(tools, unit, linesOf(tools, unit, everything, pace), pace);
    return;
  }
  for await (const archive of archivesIn(tools, unit, everything, pace)) {
    if (!(await removeArchived(tools, unit, archive, pace))) return;
  }
}

/** Deletes the rows of archives whose removal was interrupted. */
export async function finishArchives(tools: Tools, unit: Unit, pace: Pace): Promise<void> {
  for (const archive of await unfinishedArchives(tools, unit))
    await removeArchived(tools, unit, archive, pace);
}

/** False when the project wants to keep the rows after all. */
async function removeArchived(tools: Tools, unit: Unit, archive: ArchiveRow, pace: Pace): Promise<boolean> {
  const isDone = await deleteAll(tools, unit, readArchive(tools.config, archive), pace);
  if (isDone) await markRemoved(tools.sql, archive, tools.clock.now());
  return isDone;
}

/** False when the project wants to keep the rows after all: the retention is read before each batch. */
async function deleteAll(
  { sql, clock }: Tools,
  unit: Unit,
  lines: AsyncIterable<Line>,
  pace: Pace,
): Promise<boolean> {
  const mayGo = async (): Promise<boolean> =>
    isOver(await readRetention(sql, unit.projectId), kindOf(unit.table), unit.month, clock.now());
  for await (const batch of batchesOf(lines)) {
    if (!(await mayGo())) return false;
    await deleteLines(sql, unit, batch);
    await pace.pause();
  }
  return await mayGo();
}

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const line of lines) {
    batch.push(line);
    bytes += Buffer.byteLength(line);
    if (batch.length < linesAtOnce.rows && bytes < linesAtOnce.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
