import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { readName } from '../../platform/http/name.ts';
import { newBotKey } from './bot-keys.ts';
import { insertProject } from './store.ts';

/** The key is shown this once. */
export type CreatedProject = { id: string; name: string; botKey: string };

/** A project with its first bot key. Throws `Invalid` on `name`. */
export async function createProject(
  { sql, clock, newId }: Pick<Context, 'clock' | 'newId'> & { sql: Sql },
  given: { name: string },
): Promise<CreatedProject> {
  const name = readName(given.name);
  const { key, keyHash } = newBotKey();
  const id = newId();
  await insertProject(sql, { id, name, createdAt: clock.now() }, { id: newId(), name: 'default', keyHash });
  return { id, name, botKey: key };
}
