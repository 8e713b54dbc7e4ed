import type { Person } from '../../../access/auth/person.ts';
import { sessionToken } from '../../../access/auth/session.ts';
import { changePassword } from '../../../access/operators/change-password.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { callerAddress } from '../../../platform/http/caller-address.ts';
import { PasswordChange } from './schema.ts';

/** POST /console/api/account/password/: changes the person's own password. Their other browsers are signed out. */
export const changeOwnPassword = actionFor<Person>()({
  body: PasswordChange,
  handle: async ({ context, principal: { userId }, body, request }) => {
    const session = sessionToken(request.headers) ?? '';
    const address = callerAddress(request, context.config.trustedProxies);
    await changePassword(context, { ...body, userId, session, address });
    context.log.info({ userId }, 'a password was changed');
  },
});
