import type { Context } from '../context.ts';
import { invalid, messages } from '../lib/problem.ts';
import type { Sql } from '../storage/database.ts';
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
