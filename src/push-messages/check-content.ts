import type { Platform } from '../channels/platforms.ts';
import type { Context } from '../context.ts';
import { Invalid, messages } from '../lib/problem.ts';
import { findScenarioByName } from '../scenarios/store.ts';
import { findTemplate } from '../templates/store.ts';
import { missingVariables } from '../templates/templates.ts';
import { fits, needsOf } from './rules.ts';
import type { PushMessageCreate } from './schema.ts';

/**
 * Holds the content to what the project has: its scenarios, its templates, the recipient's platform (null where that is
 * not known). Throws `Invalid`.
 */
export async function checkContent(
  context: Pick<Context, 'sql'>,
  projectId: string,
  content: PushMessageCreate['content'],
  platform: Platform | null,
): Promise<void> {
  const { type, node, whatsapp_template: template } = content;
  if (platform && !fits(type, platform)) {
    throw new Invalid({ content: { type: [`${type} cannot be sent to a chat in ${platform}.`] } });
  }
  if (node && !(await findScenarioByName(context.sql, projectId, node.name))) {
    throw new Invalid({ content: { node: { name: [`Object with name=${node.name} does not exist.`] } } });
  }
  if (template && needsOf(type) === 'template') {
    const found = await findTemplate(context.sql, projectId, template.pid);
    if (found?.approval !== 'approved') {
      throw new Invalid({
        content: { whatsapp_template: { pid: [`Object with pid=${template.pid} does not exist.`] } },
      });
    }
    const missing = missingVariables(found, content.whatsapp_template_variables ?? {});
    if (missing.length > 0) {
      const fields = Object.fromEntries(missing.map((name) => [name, [messages.required]]));
      throw new Invalid({ content: { whatsapp_template_variables: fields } });
    }
  }
}
