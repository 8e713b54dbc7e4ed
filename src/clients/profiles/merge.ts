import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { type Actor, entryBy } from './audit.ts';
import { changeProfile } from './change-store.ts';
import { deleteProfile, type LockedProfile } from './merge-store.ts';
import { joined } from './rules.ts';

/**
 * Makes one profile of two, of which the source has no chats any more: the target gets what it lacks, the source goes.
 * Both are locked by the caller's transaction. The records of both name the uuid that has become the other.
 */
export async function mergeProfiles(
  sql: Sql,
  context: Pick<Context, 'newId' | 'clock'>,
  projectId: string,
  { source, target }: { source: LockedProfile; target: LockedProfile },
  actor: Actor,
): Promise<void> {
  const more = { uuid: [source.id, target.id] } satisfies { uuid: [string, string] };
  // The source goes first, because its external id may become the target's.
  await deleteProfile(sql, projectId, source.id, entryBy(actor, context), more);
  const how = { action: 'merged', more } as const;
  await changeProfile(sql, projectId, target.id, joined(source, target), entryBy(actor, context), how);
}
