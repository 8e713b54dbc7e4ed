import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findChoices } from './choices-store.ts';
import { Choices } from './draft-schema.ts';

/** GET /console/api/mailings/choices/: the parts that a mailing can be made of. */
export const readChoices = actionFor<Member>()({
  response: Choices,
  handle: ({ context: { sql }, principal: { projectId } }) => findChoices(sql, projectId),
});
