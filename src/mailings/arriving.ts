import type { Context } from '../platform/context.ts';
import { type ArrivingList, addPiece, beginList, forgetList, forgetOneBefore } from './arriving-store.ts';
import { blocksOf, type Line } from './identifiers.ts';

/**
 * Stores the lines in pieces, and then their mailing with `save`. One statement for all would keep others waiting for
 * seconds. Without the mailing nobody sees the pieces, and they are deleted.
 */
export async function withList(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  projectId: string,
  lines: readonly Line[],
  save: (list: ArrivingList | null) => Promise<boolean>,
): Promise<boolean> {
  if (lines.length === 0) return save(null);
  const list = { project_id: projectId, id: newId() };
  // What was stored before a failure is left to housekeeping: the piece that failed may still be on its way.
  await beginList(sql, list, clock.now());
  for (const block of blocksOf(lines)) await addPiece(sql, list, block);
  let isSaved = false;
  try {
    isSaved = await save(list);
    return isSaved;
  } finally {
    if (!isSaved) await forgetList(sql, list).catch(() => {});
  }
}

/** No request lasts as long. */
const arrivesForMs = 60 * 60 * 1_000;

/** Deletes the lists that a crash has left without a mailing. */
export async function forgetLeftLists({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - arrivesForMs);
  while (await forgetOneBefore(sql, before));
}
