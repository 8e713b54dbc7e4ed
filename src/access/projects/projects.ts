import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { newBotKey } from './bot-keys.ts';
import { insertProject } from './store.ts';

/** The key is shown this once. */
export type CreatedProject = { id: string; name: string; botKey: string };

/** A project with its first bot key. Throws `Invalid` for an empty name. */
export async function createProject(
  { sql, clock, newId }: Pick<Context, 'clock' | 'newId'> & { sql: Sql },
  { name }: { name: string },
): Promise<CreatedProject> {
  if (name === '') throw invalid('name', messages.blank);
  const { key, keyHash } = newBotKey();
  const id = newId();
  await insertProject(sql, { id, name, createdAt: clock.now() }, { id: newId(), name: 'default', keyHash });
  return { id, name, botKey: key };
}
