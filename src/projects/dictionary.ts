import type { Context } from '../context.ts';
import { invalid, messages } from '../lib/problem.ts';
import { insertAttribute, insertTag } from './store.ts';

type Entry = { projectId: string; name: string };

/** Defines a tag that profiles may carry; again is no error. Throws `Invalid` for an empty name. */
export async function addTag({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  if (name === '') throw invalid('name', messages.blank);
  await insertTag(sql, projectId, name);
}

/** Defines an attribute that profiles may have; again is no error. Throws `Invalid` for an empty name. */
export async function addAttribute({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  if (name === '') throw invalid('name', messages.blank);
  await insertAttribute(sql, projectId, name);
}
