import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { findTemplate } from '../../templates/store.ts';
import { addTemplate } from '../../templates/templates.ts';
import { TemplateParams, TemplateUpdate } from './schema.ts';

/** PUT /console/api/templates/:pid/. Mailings that were made before keep the words that they were made with. */
export const updateTemplate = actionFor<Member>()({
  params: TemplateParams,
  body: TemplateUpdate,
  load: async ({ sql }, { projectId }, { pid }) => (await findTemplate(sql, projectId, pid)) ?? undefined,
  handle: async ({ context, principal: { projectId }, loaded: { pid }, body }) => {
    await addTemplate(context, { projectId, pid, ...body });
  },
});
