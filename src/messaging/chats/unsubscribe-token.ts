import type { Context } from '../../platform/context.ts';
import { signedBytes } from '../../platform/secrets/signed-bytes.ts';
import { uuidOfBytes, uuidToBytes } from '../../platform/uuid-bytes.ts';
import type { ChatName } from './unsubscribe-store.ts';

const uuidBytes = 16;

/** What an address lets a client leave: the topic of the mailing, or everything with null. */
export type Leaving = ChatName & { topicId: string | null };

/** The tokens of the addresses by which clients unsubscribe from mailings. They name a chat, and never expire. */
export function unsubscribeTokens(secretKey: string) {
  const everything = signedBytes(secretKey, 'patchbay unsubscribing', 2 * uuidBytes);
  const ofTopic = signedBytes(secretKey, 'patchbay leaving a topic', 3 * uuidBytes);
  return {
    make: ({ projectId, chatId, topicId }: Leaving): string => {
      const chat = [uuidToBytes(projectId), uuidToBytes(chatId)];
      return topicId === null
        ? everything.make(Buffer.concat(chat))
        : ofTopic.make(Buffer.concat([...chat, uuidToBytes(topicId)]));
    },
    /** Undefined for a token that was not made here. */
    read: (token: string): Leaving | undefined => {
      const read = everything.read(token) ?? ofTopic.read(token);
      if (!read) return undefined;
      const uuidAt = (place: number) =>
        uuidOfBytes(read.subarray(place * uuidBytes, (place + 1) * uuidBytes));
      return {
        projectId: uuidAt(0),
        chatId: uuidAt(1),
        topicId: read.length > 2 * uuidBytes ? uuidAt(2) : null,
      };
    },
  };
}

/** The address by which a client unsubscribes. */
export function unsubscribeAddresses({
  publicUrl,
  secretKey,
}: Context['config']): (leaving: Leaving) => string {
  const tokens = unsubscribeTokens(secretKey);
  return (leaving) => `${publicUrl}/u/${tokens.make(leaving)}/`;
}
