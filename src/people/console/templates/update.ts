import type { Member } from '../../../access/auth/member.ts';
import { findTemplate } from '../../../messaging/templates/store.ts';
import { addTemplate } from '../../../messaging/templates/templates.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Refused } from '../../../platform/problem.ts';
import { TemplateParams, TemplateUpdate } from './schema.ts';
import { isProvided } from './store.ts';

/** PUT /console/api/templates/:pid/. A template of a provider stays as it is. Earlier mailings keep the text that they were made with. */
export const updateTemplate = actionFor<Member>()({
  params: TemplateParams,
  body: TemplateUpdate,
  load: async ({ sql }, { projectId }, { pid }) => (await findTemplate(sql, projectId, pid)) ?? undefined,
  handle: async ({ context, principal: { projectId }, loaded: { pid }, body }) => {
    if (await isProvided(context.sql, projectId, pid)) {
      throw new Refused('Its provider has this template: submit another one instead.');
    }
    await addTemplate(context, { ...body, projectId, pid });
  },
});
