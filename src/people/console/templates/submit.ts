import type { Member } from '../../../access/auth/member.ts';
import { loadChannel } from '../../../channels/connected/channels.ts';
import { submitTemplate } from '../../../messaging/inbound/submit-template.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { TemplateSubmit } from './schema.ts';

/** POST /console/api/templates/submit/: a template for the approval of a channel's provider. */
export const submitATemplate = actionFor<Member>()({
  line: 'foreign',
  body: TemplateSubmit,
  handle: async ({ context, principal: { projectId }, body: { channel: uuid, ...draft } }) => {
    const channel = await loadChannel(context, uuid);
    if (channel?.projectId !== projectId) throw invalid('channel', messages.missingObject(uuid));
    await submitTemplate(context, channel, draft);
  },
});
