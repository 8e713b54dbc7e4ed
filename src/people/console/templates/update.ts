import type { Member } from '../../../access/auth/member.ts';
import { findTemplate } from '../../../messaging/templates/store.ts';
import { addTemplate } from '../../../messaging/templates/templates.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { TemplateParams, TemplateUpdate } from './schema.ts';

/** PUT /console/api/templates/:pid/. Earlier mailings keep the text that they were made with. */
export const updateTemplate = actionFor<Member>()({
  params: TemplateParams,
  body: TemplateUpdate,
  load: async ({ sql }, { projectId }, { pid }) => (await findTemplate(sql, projectId, pid)) ?? undefined,
  handle: async ({ context, principal: { projectId }, loaded: { pid }, body }) => {
    await addTemplate(context, { projectId, pid, ...body });
  },
});
