import type { Member } from '../../../access/auth/member.ts';
import { findTemplate } from '../../../messaging/templates/store.ts';
import { addTemplate } from '../../../messaging/templates/templates.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { TemplateCreate } from './schema.ts';

/** POST /console/api/templates/. The person who adds it states whether WhatsApp has approved it. */
export const createTemplate = actionFor<Member>()({
  body: TemplateCreate,
  handle: async ({ context, principal: { projectId }, body }) => {
    if (await findTemplate(context.sql, projectId, body.pid)) throw invalid('pid', messages.unique);
    await addTemplate(context, { ...body, projectId });
  },
});
