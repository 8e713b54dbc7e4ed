import { setTimeout as delay } from 'node:timers/promises';
import { isOver, keptFrom, type Retention } from '../access/projects/retention.ts';
import { listRetentions } from '../access/projects/retention-store.ts';
import { forgetFilesOfMessages } from '../messaging/attachments/forget-of-messages.ts';
import type { Sql } from '../platform/database/database.ts';
import { nilUuid } from '../platform/id.ts';
import { forgetCounts } from '../scenarios/counts-store.ts';
import { archiveUnit, type Bounds, type Pace, type Tools, unfinishedArchives } from './archive.ts';
import { dropPart, hasWaiting, partsOfTable, projectsIn, type Tally, tallyAfter } from './parts-store.ts';
import { finishArchives, removeRows } from './remove.ts';
import { kindOf, type Part, partOf, type Table, tables, type Unit } from './units.ts';

/** A run ends after this time. The next one continues. */
const runMs = 8 * 60_000;

/** A batch is followed by a pause of this many times its duration. A busy database thus gets fewer of them. */
const restFactor = 4;

/** Counting changes little, so it takes larger batches. */
const countedAtOnce = 5_000;

/** Each takes less than half of a run on a busy machine of two cores. Source: docs/scale.md. */
const usualBounds: Bounds = { counted: 4_000_000, compared: 10_000_000, archived: 100_000 };

const filesAtOnce = 100;
const countsAtOnce = 1_000;

class RunIsOver extends Error {}

type Retentions = ReadonlyMap<string, Retention>;

/**
 * Removes what projects no longer want to keep. What fails is left for the next run, and prevents nothing else.
 * Source: docs/adr/0021-a-month-is-removed-at-once.md.
 * @throws the first failure, at the end of the run
 */
export async function removeOld(
  context: Omit<Tools, 'bounds'>,
  signal: AbortSignal,
  bounds = usualBounds,
): Promise<void> {
  const tools = { ...context, bounds };
  const retentions = await retentionsIn(tools.sql);
  if (retentions.size === 0) return;
  const pace = createPace(signal);
  const tries = createTries(tools);
  try {
    for (const table of tables) {
      for (const part of await partsOfTable(tools.sql, table)) {
        await tries.of({ part: partOf(part) }, () => removePart(tools, part, retentions, pace, tries));
      }
    }
    for (const [projectId, retention] of retentions) {
      await tries.of({ projectId }, () => removeFiles(tools, projectId, retention, pace));
      await tries.of({ projectId }, () => removeCounts(tools, projectId, retention, pace));
    }
  } catch (error) {
    if (!(error instanceof RunIsOver)) throw error;
  }
  tries.end();
}

/** Parts of a run, of which each may fail. */
type Tries = {
  /** Null if it failed. Only the end of the run is passed on. */
  of<Result>(
    what: { part?: string; projectId?: string },
    work: () => Promise<Result>,
  ): Promise<Result | null>;
  /** Throws the first failure, if there was any. */
  end(): void;
};

function createTries({ log }: Tools): Tries {
  const failures: unknown[] = [];
  return {
    async of(what, work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RunIsOver) throw error;
        failures.push(error);
        log.error({ err: error, ...what }, 'retention: this could not be removed');
        return null;
      }
    },
    end() {
      if (failures.length > 0) throw failures[0];
    },
  };
}

const retentionsIn = async (sql: Sql): Promise<Retentions> =>
  new Map((await listRetentions(sql)).map((row) => [row.project_id, row]));

/** The projects that may lose their rows of a month. */
function losersOf(retentions: Retentions, { table, month }: Part, now: Date): (projectId: string) => boolean {
  return (projectId) => {
    const retention = retentions.get(projectId);
    return retention !== undefined && isOver(retention, kindOf(table), month, now);
  };
}

function createPace(signal: AbortSignal): Pace {
  const began = performance.now();
  let last = began;
  return {
    async pause() {
      const tookMs = performance.now() - last;
      if (performance.now() - began >= runMs) throw new RunIsOver();
      await delay(tookMs * restFactor, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw new RunIsOver();
      last = performance.now();
    },
  };
}

/** Drops the partition if every project in it may lose it. Deletes the rows of those who may otherwise. */
async function removePart(
  tools: Tools,
  part: Part,
  retentions: Retentions,
  pace: Pace,
  tries: Tries,
): Promise<void> {
  const mayLose = losersOf(retentions, part, tools.clock.now());
  if (![...retentions.keys()].some(mayLose)) return;
  const there = await projectsIn(tools.sql, part);
  const units = there.filter(mayLose).map((projectId) => ({ ...part, projectId }));
  const hasArchive = (projectId: string): boolean => retentions.get(projectId)?.archives === true;

  const mayDrop = !part.isRest && units.length === there.length && !(await hasWaiting(tools.sql, part));
  if (mayDrop && (await fitsIntoRun(tools, part, units))) {
    const archived = units.filter(({ projectId }) => hasArchive(projectId));
    if (await tries.of({ part: partOf(part) }, () => dropWhole(tools, part, archived, pace))) return;
  }
  for (const unit of units) {
    await tries.of({ part: partOf(part), projectId: unit.projectId }, async () => {
      await finishArchives(tools, unit, pace);
      await removeRows(tools, unit, hasArchive(unit.projectId), pace);
    });
  }
}

/** Archives these units of a month, and drops its partition. False if its rows must be deleted instead. */
async function dropWhole(tools: Tools, part: Part, archived: readonly Unit[], pace: Pace): Promise<boolean> {
  for (const unit of archived) await archiveUnit(tools, unit, pace);
  const tally = await tallyOf(tools, part, pace);
  for (let tries = 0; tally && tries < mostTries; tries += 1) {
    const end = await tryToDrop(tools, part, tally);
    if (end === 'dropped') return true;
    if (end === 'waits') return false;
    await pace.pause();
  }
  return false;
}

const isCounted = (table: Table): boolean => table === 'messages' || table === 'profile_audit';

/**
 * Whether the archived rows of a month are few enough to be compared, or counted, in the run that drops it. Archives of
 * earlier versions cannot be compared. Their rows are deleted.
 */
async function fitsIntoRun(tools: Tools, { table }: Part, units: readonly Unit[]): Promise<boolean> {
  let rows = 0;
  for (const unit of units) {
    for (const { row_count, last_key } of await unfinishedArchives(tools, unit)) {
      if (last_key === null) return false;
      rows += row_count;
    }
  }
  return rows <= (isCounted(table) ? tools.bounds.counted : tools.bounds.compared);
}

/**
 * Null for a large month. Its rows are deleted instead, until what is left can be counted in one run. A count that was kept
 * for the next run would miss what changes in between.
 */
async function tallyOf({ sql, bounds }: Tools, part: Part, pace: Pace): Promise<Tally | null> {
  const all: Tally = { rows: [], mailings: [] };
  if (!isCounted(part.table)) return all;
  const atOnce = Math.min(countedAtOnce, bounds.counted);
  let last = { project_id: nilUuid, id: nilUuid };
  for (let counted = 0; counted <= bounds.counted; counted += atOnce) {
    const page = await tallyAfter(sql, part, last, atOnce);
    if (!page) return all;
    all.rows.push(...page.rows);
    all.mailings.push(...page.mailings);
    last = page.last;
    await pace.pause();
  }
  return null;
}

/** `locked`: other statements held the table. After several tries the rows are deleted instead. */
type DropEnd = 'dropped' | 'waits' | 'locked';

const mostTries = 5;

/** `lock_not_available` */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

async function tryToDrop({ sql, clock, log }: Tools, part: Part, tally: Tally): Promise<DropEnd> {
  try {
    const now = clock.now();
    const mayGo = async (transaction: Sql): Promise<boolean> => {
      const mayLose = losersOf(await retentionsIn(transaction), part, now);
      return (await projectsIn(transaction, part)).every(mayLose);
    };
    if (!(await dropPart(sql, part, { tally, now, mayGo }))) return 'waits';
    log.info({ partition: partOf(part) }, 'a month was removed');
    return 'dropped';
  } catch (error) {
    if (!isLocked(error)) throw error;
    return 'locked';
  }
}

/** Files go by their own time, and with their messages at the latest. */
async function removeFiles(tools: Tools, projectId: string, retention: Retention, pace: Pace): Promise<void> {
  const now = tools.clock.now();
  const times = (['files', 'messages'] as const).flatMap((kind) => keptFrom(retention, kind, now) ?? []);
  if (times.length === 0) return;
  const before = new Date(Math.max(...times.map((time) => time.getTime())));
  const removeSome = () => forgetFilesOfMessages(tools, projectId, before, filesAtOnce);
  while ((await removeSome()) === filesAtOnce) await pace.pause();
}

/** The numbers on the cards of scenarios go with the messages that they tell of. */
async function removeCounts(
  tools: Tools,
  projectId: string,
  retention: Retention,
  pace: Pace,
): Promise<void> {
  const before = keptFrom(retention, 'messages', tools.clock.now());
  if (before === null) return;
  while ((await forgetCounts(tools.sql, projectId, before, countsAtOnce)) === countsAtOnce)
    await pace.pause();
}
