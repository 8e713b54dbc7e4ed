import type { Context } from '../../platform/context.ts';
import { whyRefused } from '../../platform/outbound/outbound.ts';
import { type FieldMessages, Invalid } from '../../platform/problem.ts';
import { fileAt } from '../attachments/address.ts';
import type { NewMessage } from '../messages/queue-store.ts';
import { renderApproved } from '../templates/render.ts';
import type { Message } from './schema.ts';

export type Content = Pick<NewMessage, 'content' | 'rendered'>;

/**
 * A message's content as it is stored: the fields of its type, whose presence `taskOf` has checked. Throws `Invalid`
 * for a template or an address that cannot be used.
 */
export async function contentOf(
  context: Pick<Context, 'sql' | 'outbound' | 'config'>,
  projectId: string,
  { type, text, url, whatsapp_template: template }: Message,
): Promise<Content> {
  switch (type) {
    case 'text':
    case 'whatsapp_text':
    case 'telegram_personal_text':
      return { content: { ...(text && { text }) } };
    case 'image':
    case 'document':
      if (url) await checkUrl(context, projectId, url);
      return { content: { ...(url && { url }), ...(text && { text }) } };
    case 'whatsapp_template':
      return template
        ? {
            content: { whatsapp_template: template },
            rendered: await render(context, projectId, template),
          }
        : { content: {} };
  }
}

/** docs/contract.md, section 8. A file of the project is read from the storage: our own address may be private. */
async function checkUrl(
  { outbound, config }: Pick<Context, 'outbound' | 'config'>,
  projectId: string,
  url: string,
): Promise<void> {
  if (fileAt(config, url)?.projectId === projectId) return;
  const why = await whyRefused(outbound, url);
  if (why !== undefined) throw new Invalid({ message: { url: [why] } });
}

/** The text of a template that the client reads. */
async function render(
  context: Pick<Context, 'sql'>,
  projectId: string,
  { template_id: pid, template_variables: variables }: NonNullable<Message['whatsapp_template']>,
): Promise<NewMessage['rendered']> {
  const rendering = await renderApproved(context, projectId, pid, variables ?? {});
  switch (rendering.kind) {
    case 'rendered':
      return rendering.rendered;
    case 'no_template':
      throw refused({ template_id: rendering.complaint });
    case 'bad_variables':
      throw refused({ template_variables: rendering.complaint });
  }
}

const refused = (whatsapp_template: FieldMessages): Invalid =>
  new Invalid({ message: { whatsapp_template } });
