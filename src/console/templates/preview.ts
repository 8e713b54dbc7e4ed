import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { placeholdersOf } from '../../lib/placeholders.ts';
import { renderTemplate } from '../../templates/rules.ts';
import { PreviewedTemplate, TemplatePreview } from './schema.ts';

/** POST /console/api/templates/preview/: the variables of a body, and how it reads with these values. */
export const previewTemplate = actionFor<Member>()({
  body: TemplatePreview,
  response: PreviewedTemplate,
  handle: async ({ body: { body, values } }) => ({
    variables: placeholdersOf(body),
    text: renderTemplate({ body }, values),
  }),
});
