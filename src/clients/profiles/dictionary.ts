import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { Text } from '../../platform/http/fields.ts';
import { reader } from '../../platform/http/validation.ts';
import { insertAttribute, insertTag } from './definitions-store.ts';

type Entry = { projectId: string; name: string };

const readEntry = reader(Type.Object({ name: Text(100) }));

/** Defines a tag for profiles. A repetition is no error. Throws `Invalid` on `name`: 1 to 100 characters. */
export async function addTag({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  await insertTag(sql, projectId, readEntry({ name }).name);
}

/** Defines an attribute for profiles. A repetition is no error. Throws `Invalid` on `name`: 1 to 100 characters. */
export async function addAttribute({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  await insertAttribute(sql, projectId, readEntry({ name }).name);
}
