import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { completeDraft, linesOf } from '../../../mailings/make.ts';
import { bodyLimit, Mailing, MailingCreate } from '../../../mailings/schema.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';

/** PUT /console/api/mailings/{uuid}/: gives a draft its audience, content and time. With an audience it starts. */
export const completeMailing = actionFor<Member>()({
  params: UuidParams,
  body: MailingCreate,
  bodyLimit,
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId }, body, loaded }) => {
    const country = await findDefaultCountry(context.sql, projectId);
    return completeDraft(context, projectId, loaded.id, body, await linesOf(body, country));
  },
});
