import type { Member } from '../../../access/auth/member.ts';
import { inviteAgain } from '../../../access/operators/invite-member.ts';
import { admitMail } from '../../../access/operators/mails.ts';
import { resetPassword } from '../../../access/operators/reset-password.ts';
import { readProject } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { presentWay } from './present.ts';
import { WayIn } from './schema.ts';
import { findMember } from './store.ts';

/**
 * POST /console/api/team/{uuid}/link/: sends or shows a new link to get in. A link for a person with a password is
 * never shown. It is mailed, or made on the command line.
 */
export const makeMemberLink = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findMember(sql, projectId, uuid),
  response: WayIn,
  handle: async ({ context, principal: { projectId, operatorId, userId: by }, loaded }) => {
    const { id, user_id: userId, email, state } = loaded;
    if (userId === null) throw new Refused('This person cannot sign in. Invite them first.');
    context.log.info({ projectId, by: operatorId, operator: id }, 'a link for a colleague was requested');
    if (state === 'invited') {
      const { name } = await readProject(context.sql, projectId);
      const member = { id, userId, email, signsIn: loaded.signs_in };
      const inviting = { projectId, projectName: name, by: by ?? operatorId };
      return presentWay(await inviteAgain(context, inviting, member));
    }
    if (!context.config.smtp) return presentWay({ way: 'command_line', link: null, mailFailed: false });
    await admitMail(context, { to: email, by: by ?? operatorId });
    const { mail } = await resetPassword(context, { id: userId, email });
    return presentWay({
      way: mail === 'sent' ? 'mailed' : 'command_line',
      link: null,
      mailFailed: mail === 'failed',
    });
  },
});
