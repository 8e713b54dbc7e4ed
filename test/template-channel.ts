import { addTemplate } from '../src/messaging/templates/templates.ts';
import type { Context } from '../src/platform/context.ts';
import { seedChannel } from './seed.ts';

/** Adds the approved template `order`, and a channel that would send it and is paused. Returns the channel's id. */
export async function addTemplateChannel(context: Context, projectId: string): Promise<string> {
  const template = { pid: 'order', body: 'Order', language: 'en', approval: 'approved' } as const;
  await addTemplate(context, { projectId, ...template });
  const id = await seedChannel(context.sql, projectId, 'Whatsapp');
  await context.sql`update channels set state = 'paused' where id = ${id}`;
  return id;
}
