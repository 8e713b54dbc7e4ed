import type { Member } from '../../access/auth/member.ts';
import { type ProfileRow, presentProfile } from '../../clients/profiles/present.ts';
import { Profile, ProfileUpdate } from '../../clients/profiles/schema.ts';
import { findProfile } from '../../clients/profiles/store.ts';
import { update } from '../../clients/profiles/update.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';

async function loadProfile(
  context: Context,
  member: Member,
  params: { uuid: string },
): Promise<ProfileRow | undefined> {
  const chat = await loadChat(context, member, params);
  return chat && findProfile(context.sql, member.projectId, { id: chat.profile_id });
}

/** GET /chat-center/api/chats/{uuid}/profile/: the client of a chat. */
export const readChatProfile = actionFor<Member>()({
  params: UuidParams,
  response: Profile,
  load: loadProfile,
  handle: async ({ loaded }) => presentProfile(loaded),
});

/** PUT /chat-center/api/chats/{uuid}/profile/: the partners' change of a profile, on behalf of the operator. */
export const updateChatProfile = actionFor<Member>()({
  params: UuidParams,
  body: ProfileUpdate,
  response: Profile,
  load: async (context, member, params) => {
    const chat = await loadChat(context, member, params);
    return chat && { id: chat.profile_id };
  },
  handle: async (given) => {
    const { profile } = await update(given);
    given.context.wake.wake('live');
    return profile;
  },
});
