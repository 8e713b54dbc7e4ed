import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { type Actor, entryBy } from './audit.ts';
import { changeProfile, type ProfileChange } from './change-store.ts';
import { deleteProfile, type LockedProfile } from './merge-store.ts';
import { joined } from './rules.ts';

/**
 * Merges two profiles. The source has no chats any more. The target gets the values that it lacks, and the source is
 * deleted. The caller's transaction has locked both. Each record names the other profile's uuid. If both have more
 * attributes or tags than one profile may have, the target keeps its own.
 */
export async function mergeProfiles(
  sql: Sql,
  context: Pick<Context, 'newId' | 'clock'>,
  projectId: string,
  { source, target }: { source: LockedProfile; target: LockedProfile },
  actor: Actor,
): Promise<void> {
  const more = { uuid: [source.id, target.id] } satisfies { uuid: [string, string] };
  // The source is deleted first, because the target may take its external id.
  await deleteProfile(sql, projectId, source.id, entryBy(actor, context), more);
  const how = { action: 'merged', more } as const;
  const join = (change: ProfileChange) =>
    changeProfile(sql, projectId, target.id, change, entryBy(actor, context), how);
  const whole = joined(source, target);
  const { tooLarge } = await join(whole);
  if (tooLarge !== null) await join({ fields: whole.fields });
}
