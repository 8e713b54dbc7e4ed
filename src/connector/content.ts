import type { JSONValue } from 'postgres';
import type { Context } from '../context.ts';
import { OutboundRefused } from '../lib/outbound.ts';
import { type FieldMessages, Invalid, messages } from '../lib/problem.ts';
import { findTemplate } from '../templates/store.ts';
import { missingVariables } from '../templates/templates.ts';
import type { Message } from './schema.ts';

type Content = { [field: string]: JSONValue };

/**
 * A message's content as it is stored: the fields that belong to its type, which `taskOf` has made sure of.
 * Throws `Invalid` for a template or an address that cannot be used.
 */
export async function contentOf(
  context: Pick<Context, 'sql' | 'outbound'>,
  projectId: string,
  { type, text, url, whatsapp_template: template }: Message,
): Promise<Content> {
  switch (type) {
    case 'text':
    case 'whatsapp_text':
    case 'telegram_personal_text':
      return { ...(text && { text }) };
    case 'image':
    case 'document':
      if (url) await checkUrl(context, url);
      return { ...(url && { url }), ...(text && { text }) };
    case 'whatsapp_template':
      if (template) await checkTemplate(context, projectId, template);
      return { ...(template && { whatsapp_template: template }) };
  }
}

/** Open points, section 8: every address that a user gives. */
async function checkUrl({ outbound }: Pick<Context, 'outbound'>, url: string): Promise<void> {
  try {
    await outbound.check(url);
  } catch (error) {
    if (error instanceof OutboundRefused) throw new Invalid({ message: { url: [error.message] } });
    throw error;
  }
}

async function checkTemplate(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  { template_id: pid, template_variables: variables }: NonNullable<Message['whatsapp_template']>,
): Promise<void> {
  const template = await findTemplate(sql, projectId, pid);
  if (template?.approval !== 'approved') {
    throw refused({ template_id: [`Object with pid=${pid} does not exist.`] });
  }
  const missing = missingVariables(template, variables ?? {});
  if (missing.length > 0) {
    const fields = missing.map((name) => [name, [messages.required]]);
    throw refused({ template_variables: Object.fromEntries(fields) });
  }
}

const refused = (whatsapp_template: FieldMessages): Invalid =>
  new Invalid({ message: { whatsapp_template } });
