import type { FilledTemplate } from '../../channels/contract/adapter.ts';
import type { Context } from '../../platform/context.ts';
import type { JSONValue } from '../../platform/database/database.ts';
import { longestFilled } from '../../platform/placeholders.ts';
import type { FieldMessages } from '../../platform/problem.ts';
import { checkValues, fillTemplate, renderTemplate } from './rules.ts';
import { findTemplate } from './store.ts';

/** The text for the client, in the form of a message's `rendered`, or the problem with the `pid` or with variables. */
export type Rendering =
  | { kind: 'rendered'; rendered: { type: 'whatsapp_template'; text: string; template: FilledTemplate } }
  | { kind: 'no_template'; complaint: string[] }
  | { kind: 'bad_variables'; complaint: FieldMessages };

/** A template's body with these variables. Partners can use approved templates only. */
export async function renderApproved(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  pid: string,
  values: { readonly [name: string]: JSONValue | undefined },
): Promise<Rendering> {
  const template = await findTemplate(sql, projectId, pid);
  if (template?.approval !== 'approved') {
    return { kind: 'no_template', complaint: [`Object with pid=${pid} does not exist.`] };
  }
  const complaint = checkValues(template, values);
  if (complaint) return { kind: 'bad_variables', complaint };
  const text = renderTemplate(template, values);
  if (text.length > longestFilled) {
    return { kind: 'bad_variables', complaint: { non_field_errors: ['The text becomes too long.'] } };
  }
  return {
    kind: 'rendered',
    rendered: { type: 'whatsapp_template', text, template: fillTemplate(template, values) },
  };
}
