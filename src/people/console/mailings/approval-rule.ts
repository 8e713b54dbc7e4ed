import { readProject } from '../../../access/projects/store.ts';
import type { Checked } from '../../../mailings/make.ts';
import { fileAt } from '../../../messaging/attachments/address.ts';
import { findAttachment } from '../../../messaging/attachments/store.ts';
import type { Context } from '../../../platform/context.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { invalid } from '../../../platform/problem.ts';

/**
 * The mailing as this person may store it: it waits for a second person, if the project asks for one. Throws `Invalid`
 * for an audience that may change meanwhile.
 */
export async function withApproval(
  { sql, config, newId }: Pick<Context, 'sql' | 'config' | 'newId'>,
  { projectId, callerId, name }: Principal,
  checked: Checked,
): Promise<Checked> {
  // A draft does not start.
  if (checked.due_at === null) return checked;
  const { needs_approval } = await readProject(sql, projectId);
  if (!needs_approval) return checked;
  await requireKeptAudience({ sql, config }, projectId, checked);
  return { ...checked, asks: { id: newId(), author_id: callerId, author_name: name } };
}

/** The owner of an address can change its file after the approval. A file of the project never changes. */
export async function requireKeptAudience(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  projectId: string,
  checked: Checked,
): Promise<void> {
  for (const field of ['customer_filter_file', 'phone_numbers_file'] as const) {
    const url = checked[field];
    const key = url === null ? undefined : fileAt(config, url);
    const isKept = key?.projectId === projectId && (await findAttachment(sql, key)) !== null;
    if (url === null || isKept) continue;
    throw invalid(
      field,
      'A file elsewhere can change after its approval. Enter the identifiers as a list, or use a file of this project.',
    );
  }
}
