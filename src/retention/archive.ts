import type { Context } from '../platform/context.ts';
import { readArchive, writeArchive } from './archive-files.ts';
import {
  type ArchiveRow,
  type Extent,
  findArchives,
  insertArchive,
  type Key,
  setDigest,
} from './archives-store.ts';
import { digestIn, hashOf, keyIn, type Line, linesIn, type Most, type Range } from './rows-store.ts';
import type { Unit } from './units.ts';

/**
 * How many rows are counted before a month is dropped, how many are in one archive, and how many archived ones are
 * compared with their archives.
 */
export type Bounds = { counted: number; compared: number; archived: number };

export type Tools = Pick<Context, 'sql' | 'clock' | 'config' | 'log'> & { bounds: Bounds };

/** A batch of a run. `pause` rejects when the run must end. */
export type Pace = { pause(): Promise<void> };

const mebibyte = 2 ** 20;

/** PostgreSQL reads at most 256 MB of JSON at once, and a large statement takes long. */
export const linesAtOnce: Most = { rows: 500, bytes: mebibyte };

/** Comparing reads rows and passes none on, so it takes larger batches. */
const comparedAtOnce: Most = { rows: 5_000, bytes: 8 * mebibyte };

export const everything: Range = { after: null, until: null };

type Archive = ArchiveRow & Extent;

/** Archives whose rows are still there, the oldest first. */
export const unfinishedArchives = async ({ sql }: Tools, unit: Unit): Promise<Archive[]> =>
  (await findArchives(sql, unit)).filter(({ removed_at }) => removed_at === null).reverse();

/**
 * Archives what may go of a unit. A run continues behind the last archive of earlier runs. Then it compares the rows
 * with those archives, and archives what has come or changed since.
 */
export async function archiveUnit(tools: Tools, unit: Unit, pace: Pace): Promise<void> {
  const earlier = (await unfinishedArchives(tools, unit)).filter(({ digest }) => digest !== null);
  const rest = { ...everything, after: earlier.at(-1)?.last_key ?? null };
  const archives = archivesIn(tools, unit, rest, pace);
  while (!(await archives.next()).done);
  let after: Key | null = null;
  for (const archive of earlier) {
    const range: Range = { after, until: archive.last_key };
    const digest = await digestOf(tools, unit, range, pace);
    if (digest !== archive.digest) {
      const changed = changedLines(tools, unit, { archive, range }, pace);
      await storeLines(tools, unit, changed, () => ({ last_key: archive.last_key, digest: null }));
      await setDigest(tools.sql, archive, digest);
    }
    after = archive.last_key;
  }
}

/** Archives the rows of a range. Each archive has so few that a run completes it. */
export async function* archivesIn(
  tools: Tools,
  unit: Unit,
  range: Range,
  pace: Pace,
): AsyncGenerator<ArchiveRow> {
  const lines = linesOf(tools, unit, range, pace);
  for (;;) {
    const archive = await storeArchive(tools, unit, nextOf(lines, tools.bounds.archived));
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

/** Stores the next rows in their order. Null if there are none. */
async function storeArchive(
  tools: Tools,
  unit: Unit,
  lines: AsyncIterable<Line>,
): Promise<ArchiveRow | null> {
  const seen: { digest: bigint; last: Line | null } = { digest: 0n, last: null };
  async function* watched(): AsyncGenerator<Line> {
    for await (const line of lines) {
      seen.digest += hashOf(line);
      seen.last = line;
      yield line;
    }
  }
  return await storeLines(tools, unit, watched(), () => ({
    last_key: seen.last === null ? null : keyIn(unit.table, seen.last),
    digest: String(seen.digest),
  }));
}

/** Stores and verifies an archive. Null if there are no lines. */
async function storeLines(
  tools: Tools,
  unit: Unit,
  lines: AsyncIterable<Line>,
  extent: () => Extent,
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
  await insertArchive(tools.sql, { ...manifest, ...extent() });
  tools.log.info({ ...name, rows: manifest.row_count }, 'an archive was stored');
  return { ...manifest, removed_at: null };
}

export async function* linesOf({ sql }: Tools, unit: Unit, range: Range, pace: Pace): AsyncGenerator<Line> {
  let { after } = range;
  for (;;) {
    const lines = await linesIn(sql, unit, { ...range, after }, linesAtOnce);
    yield* lines;
    after = lines.at(-1) ?? null;
    if (after === null) return;
    await pace.pause();
  }
}

async function digestOf({ sql }: Tools, unit: Unit, range: Range, pace: Pace): Promise<string> {
  let sum = 0n;
  let { after } = range;
  for (;;) {
    const page = await digestIn(sql, unit, { ...range, after }, comparedAtOnce);
    if (!page) return String(sum);
    sum += page.digest;
    after = page.last;
    await pace.pause();
  }
}

/** The rows of a range that are not in its archive as they are now. */
async function* changedLines(
  tools: Tools,
  unit: Unit,
  { archive, range }: { archive: ArchiveRow; range: Range },
  pace: Pace,
): AsyncGenerator<Line> {
  const archived = new Set<bigint>();
  for await (const line of readArchive(tools.config, archive)) archived.add(hashOf(line));
  for await (const line of linesOf(tools, unit, range, pace)) {
    if (!archived.has(hashOf(line))) yield line;
  }
}
