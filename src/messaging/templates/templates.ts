import type { Context } from '../../platform/context.ts';
import { placeholdersOf } from '../../platform/placeholders.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { saveTemplate, type Template } from './store.ts';

export type NewTemplate = Omit<Template, 'variables'> & { projectId: string };

/** Adds a WhatsApp template, or replaces the one with that pid. Throws `Invalid` for an empty pid or body. */
export async function addTemplate(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, pid, body, language, approval }: NewTemplate,
): Promise<Template> {
  if (pid === '') throw invalid('pid', messages.blank);
  if (body === '') throw invalid('body', messages.blank);
  const template = { pid, body, variables: placeholdersOf(body), language, approval };
  await saveTemplate(sql, projectId, template, clock.now());
  return template;
}
