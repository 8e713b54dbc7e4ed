import { readProject } from '../../../access/projects/store.ts';
import type { Checked } from '../../../mailings/make.ts';
import type { Context } from '../../../platform/context.ts';
import type { Principal } from '../../../platform/http/principal.ts';

/** The mailing as this person may store it: it waits for a second person, if the project asks for one. */
export async function withApproval(
  { sql, newId }: Pick<Context, 'sql' | 'newId'>,
  { projectId, callerId, name }: Principal,
  checked: Checked,
): Promise<Checked> {
  // A draft does not start.
  if (checked.due_at === null) return checked;
  const { needs_approval } = await readProject(sql, projectId);
  return needs_approval
    ? { ...checked, asks: { id: newId(), author_id: callerId, author_name: name } }
    : checked;
}
