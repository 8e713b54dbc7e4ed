import type { Member } from '../../access/auth/member.ts';
import { type ChatRow, findChat } from '../../messaging/chats/store.ts';
import type { Context } from '../../platform/context.ts';

/**
 * The chat that a path names, in the operator's project. An operator who is limited to one client finds only that
 * client's chats.
 */
export async function loadChat(
  { sql }: Pick<Context, 'sql'>,
  { projectId, profileId }: Pick<Member, 'projectId' | 'profileId'>,
  { uuid }: { uuid: string },
): Promise<ChatRow | undefined> {
  const chat = await findChat(sql, projectId, uuid);
  return chat && (profileId === null || chat.profile_id === profileId) ? chat : undefined;
}
