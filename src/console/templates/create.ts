import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { invalid, messages } from '../../lib/problem.ts';
import { findTemplate } from '../../templates/store.ts';
import { addTemplate } from '../../templates/templates.ts';
import { TemplateCreate } from './schema.ts';

/** POST /console/api/templates/. Whether WhatsApp has approved it is said by whoever adds it. */
export const createTemplate = actionFor<Member>()({
  body: TemplateCreate,
  handle: async ({ context, principal: { projectId }, body }) => {
    if (await findTemplate(context.sql, projectId, body.pid)) throw invalid('pid', messages.unique);
    await addTemplate(context, { projectId, ...body });
  },
});
