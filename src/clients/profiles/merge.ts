import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { type Actor, entryBy } from './audit.ts';
import { changeProfile } from './change-store.ts';
import { deleteProfile, type LockedProfile } from './merge-store.ts';
import { joined } from './rules.ts';

/**
 * Merges two profiles. The source has no chats any more. The target gets the values that it lacks, and the source is
 * deleted. The caller's transaction has locked both. Each record names the other profile's uuid.
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
  await changeProfile(sql, projectId, target.id, joined(source, target), entryBy(actor, context), how);
}
