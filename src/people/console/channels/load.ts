import type { Member } from '../../../access/auth/member.ts';
import { type Channel, loadChannel } from '../../../channels/connected/channels.ts';
import type { Context } from '../../../platform/context.ts';
import { presentDetails } from './present.ts';
import type { ChannelDetails } from './schema.ts';
import { findChannel, findNewestChat, findQueued, hasChats } from './store.ts';

/** The channel that a path names. Undefined for another project's. */
export async function loadOwnChannel(
  context: Context,
  { projectId }: Member,
  { uuid }: { uuid: string },
): Promise<Channel | undefined> {
  const channel = await loadChannel(context, uuid);
  return channel?.projectId === projectId ? channel : undefined;
}

/** All data that the console shows of a channel. Undefined for another project's. */
export async function readDetails(
  context: Context,
  member: Member,
  { uuid }: { uuid: string },
): Promise<ChannelDetails | undefined> {
  const { sql, clock, config } = context;
  const { projectId } = member;
  const channel = await loadOwnChannel(context, member, { uuid });
  const now = clock.now();
  const row = channel && (await findChannel(sql, projectId, uuid, now));
  if (!row) return undefined;
  const chats = {
    hasChats: await hasChats(sql, projectId, uuid),
    newest: await findNewestChat(sql, projectId, uuid),
  };
  return presentDetails({
    now,
    row,
    queued: await findQueued(sql, uuid),
    channel,
    publicUrl: config.publicUrl,
    chats,
  });
}
