import type { Member } from '../../../access/auth/member.ts';
import { renderTemplate } from '../../../messaging/templates/rules.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { placeholdersOf } from '../../../platform/placeholders.ts';
import { PreviewedTemplate, TemplatePreview } from './schema.ts';

/** POST /console/api/templates/preview/: the variables of a body, and its text with these values. */
export const previewTemplate = actionFor<Member>()({
  body: TemplatePreview,
  response: PreviewedTemplate,
  handle: async ({ body: { body, values } }) => ({
    variables: placeholdersOf(body),
    text: renderTemplate({ body }, values),
  }),
});
