import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { NotFound } from '../../platform/problem.ts';
import { frameHeader } from './guard.ts';
import { findAccount, listOperators } from './operators-store.ts';
import { ChatCenterAccount } from './schema.ts';

/** GET /chat-center/api/account/: the operator, the project and the colleagues. */
export const readChatCenterAccount = actionFor<Member>()({
  response: ChatCenterAccount,
  handle: async ({ context: { sql }, principal, request }) => {
    const { projectId, operatorId, profileId, name } = principal;
    const [account, operators] = await Promise.all([
      findAccount(sql, projectId, profileId),
      listOperators(sql, projectId),
    ]);
    if (!account) throw new NotFound();
    return {
      operator: { uuid: operatorId, name },
      project: { uuid: projectId, title: account.project },
      is_frame: request.headers[frameHeader] !== undefined,
      profile: profileId === null ? null : { uuid: profileId, name: account.profile_name ?? '' },
      operators: operators.map(({ id, name }) => ({ uuid: id, name })),
      categories: account.categories,
      themes: account.themes,
    };
  },
});
