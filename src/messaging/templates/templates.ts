import type { Context } from '../../platform/context.ts';
import { requireRoom } from '../../platform/limits/room-store.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { variablesOf } from './rules.ts';
import { type NewTemplate as Added, findTemplate, saveTemplate } from './store.ts';

export type NewTemplate = Omit<Added, 'variables'> & { projectId: string };

/** Adds a WhatsApp template, or replaces the one with that pid. Throws `Invalid` for an empty pid or body. */
export async function addTemplate(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, pid, body, language, approval }: NewTemplate,
): Promise<Added> {
  if (pid === '') throw invalid('pid', messages.blank);
  if (body === '') throw invalid('body', messages.blank);
  const template = { pid, body, variables: variablesOf(body), language, approval };
  await sql.begin(async (transaction) => {
    if (!(await findTemplate(transaction, projectId, pid)))
      await requireRoom(transaction, 'templates', projectId);
    await saveTemplate(transaction, projectId, template, clock.now());
  });
  return template;
}
