import type { Member } from '../../../access/auth/member.ts';
import { bodyLimit } from '../../../mailings/schema.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findAudience } from './audience.ts';
import { AudienceSize, MailingDraft } from './draft-schema.ts';

/** A person waits for it while they build a filter. */
const patienceMs = 1_500;

/** POST /console/api/mailings/audience/: the size of a mailing's audience now. */
export const countAudience = actionFor<Member>()({
  body: MailingDraft,
  bodyLimit,
  line: 'searches',
  response: AudienceSize,
  handle: async ({ context, principal: { projectId }, body, request }) => {
    const isLeft = () => request.raw.socket.destroyed;
    const { size } = await findAudience(context, projectId, body, { ms: patienceMs, enough: null, isLeft });
    return size;
  },
});
