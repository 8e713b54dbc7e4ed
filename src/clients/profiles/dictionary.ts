import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { Text } from '../../platform/http/fields.ts';
import { reader } from '../../platform/http/validation.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { invalid } from '../../platform/problem.ts';
import { insertAttribute, insertTag } from './definitions-store.ts';

type Entry = { projectId: string; name: string };

const readEntry = reader(Type.Object({ name: Text(100) }));

/** Defines a tag for profiles. A repetition is no error. Throws `Invalid` on `name`: 1 to 100 characters. */
export async function addTag({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  const tag = readEntry({ name }).name;
  await withRoom(sql, 'tags', projectId, (transaction) => insertTag(transaction, projectId, tag));
}

/**
 * Defines an attribute for profiles. A repetition is no error. Throws `Invalid` on `name`: 1 to 100 characters, and not
 * the field that every request loses (`src/platform/http/json.ts`).
 */
export async function addAttribute({ sql }: Pick<Context, 'sql'>, { projectId, name }: Entry): Promise<void> {
  const attribute = readEntry({ name }).name;
  if (attribute === '__proto__') throw invalid('name', 'An attribute cannot have this name.');
  await withRoom(sql, 'attributes', projectId, (transaction) =>
    insertAttribute(transaction, projectId, attribute),
  );
}
