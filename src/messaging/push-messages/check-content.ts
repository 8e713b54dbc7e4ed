import type { Platform } from '../../channels/contract/platforms.ts';
import { limitExceeded } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { findScenarioByName } from '../../scenarios/store.ts';
import type { NewMessage } from '../messages/queue-store.ts';
import { renderApproved } from '../templates/render.ts';
import { fits, needsOf } from './rules.ts';
import type { PushMessageCreate } from './schema.ts';

/**
 * Checks the content against the project's scenarios and templates, and the recipient's platform (null if unknown).
 * Returns the text of a template for the client. Throws `Invalid`.
 */
export async function checkContent(
  context: Pick<Context, 'sql'>,
  projectId: string,
  content: PushMessageCreate['content'],
  platform: Platform | null,
): Promise<NewMessage['rendered']> {
  const { type, node, whatsapp_template: template } = content;
  if (platform && !fits(type, platform)) {
    throw new Invalid({ content: { type: [`${type} cannot be sent to a chat in ${platform}.`] } });
  }
  const most = platform && needsOf(type) === 'text' ? limitExceeded(platform, 'text', content.text) : null;
  if (most !== null) throw new Invalid({ content: { text: [messages.maxLength(most)] } });
  if (node && !(await findScenarioByName(context.sql, projectId, node.name))) {
    throw new Invalid({ content: { node: { name: [`Object with name=${node.name} does not exist.`] } } });
  }
  if (!template || needsOf(type) !== 'template') return undefined;
  const variables = content.whatsapp_template_variables ?? {};
  const rendering = await renderApproved(context, projectId, template.pid, variables);
  switch (rendering.kind) {
    case 'rendered':
      return rendering.rendered;
    case 'no_template':
      throw new Invalid({ content: { whatsapp_template: { pid: rendering.complaint } } });
    case 'bad_variables':
      throw new Invalid({ content: { whatsapp_template_variables: rendering.complaint } });
  }
}
