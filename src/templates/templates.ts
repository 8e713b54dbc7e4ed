import type { Context } from '../context.ts';
import { invalid, messages } from '../lib/problem.ts';
import { saveTemplate, type Template } from './store.ts';

export type NewTemplate = Omit<Template, 'variables'> & { projectId: string };

/** Adds a WhatsApp template, or replaces the one with that pid. Throws `Invalid` for an empty pid or body. */
export async function addTemplate(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { projectId, pid, body, language, approval }: NewTemplate,
): Promise<Template> {
  if (pid === '') throw invalid('pid', messages.blank);
  if (body === '') throw invalid('body', messages.blank);
  const template = { pid, body, variables: variablesOf(body), language, approval };
  await saveTemplate(sql, projectId, template, clock.now());
  return template;
}

export function variablesOf(body: string): string[] {
  const names = Array.from(body.matchAll(/\{\{\s*([^\s{}]+)\s*\}\}/g), ([, name = '']) => name);
  return [...new Set(names)];
}

/** The names of the template's variables that were given no value. */
export function missingVariables(
  template: Pick<Template, 'variables'>,
  given: Record<string, unknown>,
): string[] {
  return template.variables.filter((name) => !Object.hasOwn(given, name) || (given[name] ?? null) === null);
}
