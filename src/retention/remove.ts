import { isOver } from '../access/projects/retention.ts';
import { readRetention } from '../access/projects/retention-store.ts';
import type { Context } from '../platform/context.ts';
import { readArchive, writeArchive } from './archive-files.ts';
import { type ArchiveRow, findArchives, insertArchive, markRemoved } from './archives-store.ts';
import { deleteLines, type Line, linesAfter } from './rows-store.ts';
import { kindOf, type Unit } from './units.ts';

/** How many rows are counted before a month is dropped, and how many are in one archive. */
export type Bounds = { counted: number; archived: number };

export type Tools = Pick<Context, 'sql' | 'clock' | 'config' | 'log'> & { bounds: Bounds };

/** A batch of a run. `pause` rejects when the run must end. */
export type Pace = { pause(): Promise<void> };

const rowsAtOnce = 500;

/** Archives what may go of a unit, if that is wanted, and deletes it in batches. */
export async function removeRows(tools: Tools, unit: Unit, hasArchive: boolean, pace: Pace): Promise<void> {
  if (!hasArchive) {
    await deleteAll(tools, unit, linesOfUnit(tools, unit, pace), pace);
    return;
  }
  await finishArchives(tools, unit, pace);
  for await (const archive of archivesOfUnit(tools, unit, pace)) {
    if (!(await removeArchived(tools, unit, archive, pace))) return;
  }
}

/** Deletes the rows of archives whose removal was interrupted. */
export async function finishArchives(tools: Tools, unit: Unit, pace: Pace): Promise<void> {
  for (const archive of await findArchives(tools.sql, unit)) {
    if (archive.removed_at === null) await removeArchived(tools, unit, archive, pace);
  }
}

/** False when the project wants to keep the rows after all. */
async function removeArchived(tools: Tools, unit: Unit, archive: ArchiveRow, pace: Pace): Promise<boolean> {
  const isDone = await deleteAll(tools, unit, readArchive(tools.config, archive), pace);
  if (isDone) await markRemoved(tools.sql, archive, tools.clock.now());
  return isDone;
}

/** Archives what may go of a unit. */
export async function archiveUnit(tools: Tools, unit: Unit, pace: Pace): Promise<void> {
  const archives = archivesOfUnit(tools, unit, pace);
  while (!(await archives.next()).done);
}

/** Each archive has so few rows that a run completes it. The next run continues after the last one. */
async function* archivesOfUnit(tools: Tools, unit: Unit, pace: Pace): AsyncGenerator<ArchiveRow> {
  const lines = linesOfUnit(tools, unit, pace);
  for (;;) {
    const archive = await archiveLines(tools, unit, nextOf(lines, tools.bounds.archived));
    if (!archive) return;
    yield archive;
  }
}

async function* nextOf(lines: AsyncGenerator<Line>, most: number): AsyncGenerator<Line> {
  for (let count = 0; count < most; count += 1) {
    const next = await lines.next();
    if (next.done) return;
    yield next.value;
  }
}

/** Stores and verifies an archive. Null if there are no lines. */
async function archiveLines(
  tools: Tools,
  unit: Unit,
  lines: AsyncIterable<Line>,
): Promise<ArchiveRow | null> {
  const { projectId, table, month } = unit;
  const [newest] = await findArchives(tools.sql, unit);
  const name = {
    project_id: projectId,
    table_name: table,
    month: month.name,
    part: (newest?.part ?? 0) + 1,
    made_at: tools.clock.now(),
  };
  const manifest = await writeArchive(tools.config, name, lines);
  if (!manifest) return null;
  await insertArchive(tools.sql, manifest);
  tools.log.info({ ...name, rows: manifest.row_count }, 'an archive was stored');
  return { ...manifest, removed_at: null };
}

async function* linesOfUnit({ sql }: Tools, unit: Unit, pace: Pace): AsyncGenerator<Line> {
  let last: Line | null = null;
  for (;;) {
    const lines: Line[] = await linesAfter(sql, unit, last, rowsAtOnce);
    yield* lines;
    last = lines.at(-1) ?? null;
    if (last === null) return;
    await pace.pause();
  }
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
  for await (const line of lines) {
    if (batch.push(line) < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
