import type { Member } from '../../access/auth/member.ts';
import { type ChatRow, findChat } from '../../messaging/chats/store.ts';
import type { Context } from '../../platform/context.ts';

/** The chat that a path names: of the operator's project and, where they are held to one client, of that client. */
export async function loadChat(
  { sql }: Pick<Context, 'sql'>,
  { projectId, profileId }: Pick<Member, 'projectId' | 'profileId'>,
  { uuid }: { uuid: string },
): Promise<ChatRow | undefined> {
  const chat = await findChat(sql, projectId, uuid);
  return chat && (profileId === null || chat.profile_id === profileId) ? chat : undefined;
}
